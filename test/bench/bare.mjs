// The requests that a plan or an apply of N portals makes, and nothing else: what the network alone takes.
// node bare.mjs plan|apply N FIRST, with PORTAL_URL, SIGN_IN_URL and the keys in variables.
import { createRequire } from "node:module";

const { Agent, request } = createRequire(import.meta.url)("undici");
const [mode, count, first] = process.argv.slice(2);
const { PORTAL_URL, SIGN_IN_URL, LINTEL_BEID, LINTEL_WEB_SERVICES_KEY } = process.env;
const dispatcher = new Agent();

async function call(url, options = {}) {
  const { body } = await request(url, { dispatcher, ...options });
  return body.text();
}

const token = await call(`${SIGN_IN_URL}/api/auth/loginadmin`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ BEID: LINTEL_BEID, WebServicesKey: LINTEL_WEB_SERVICES_KEY }),
});
const headers = { authorization: `Bearer ${token}` };
const ids = Array.from({ length: Number(count) }, (_, at) => `portal-${Number(first) + at}`);

async function eachOf(work) {
  const waiting = ids.values();
  const worker = async () => {
    for (const id of waiting) await work(`${PORTAL_URL}/portals/${id}`);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** What a portal shows, and at the same time to whom it does. */
async function look(portal) {
  const [settings] = await Promise.all([
    call(`${portal}/settings?f=json`, { headers }).then(JSON.parse),
    call(`${PORTAL_URL}/portals/self?f=json`, { headers }).then(JSON.parse),
  ]);
  return settings;
}

await eachOf(look);
if (mode === "apply") {
  JSON.parse(await call(`${SIGN_IN_URL}/api/auth/getuser`, { headers }));
  await eachOf(async (portal) => {
    const settings = await look(portal);
    const banner = { text: String(Date.now()), enabled: true };
    const form = { f: "json", informationalBanner: JSON.stringify(banner) };
    for (const [name, value] of Object.entries(settings)) {
      if (typeof value === "object" && value) form[name] ??= JSON.stringify(value);
    }
    const answer = await call(`${portal}/settings/update`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(form).toString(),
    });
    if (JSON.parse(answer).success !== true) throw new Error(answer);
    await look(portal);
  });
}
await dispatcher.close();
