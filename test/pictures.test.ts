// Draws the terminal pictures of the documentation from real runs; UPDATE_GOLDEN=1 writes them.
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  HAS_OPENSSL,
  listen,
  makeCertificates,
  NEEDS_OPENSSL,
  serveProxy,
} from "./support/network.js";
import { installLintel, runInTerminal } from "./support/pty.js";
import { environment, folderOf, PROJECT } from "./support/run.js";
import { keysOf, openSandbox } from "./support/sandbox.js";
import { terminalPicture } from "./support/terminal-picture.js";

const BEFORE = `targetVersion: "11.5"
portal:
  name: staging
  url: https://gis.example.com/portal/sharing/rest
signIn:
  url: https://gis.example.com/accounts
settings:
  informationalBanner:
    text: Welcome to the portal of Example Organisation.
    bgColor: "#004d40"
    fontColor: white
    enabled: true
  portalConfigProperties:
    tokenExpiration: 60
    footerLinks:
      - { title: Terms, url: https://www.example.org/terms }
`;

const AFTER = BEFORE.replace(
  "Welcome to the portal of Example Organisation.",
  "Read-only on Saturday from 18:00 to 22:00.",
)
  .replace("#004d40", "#b30000")
  .replace("tokenExpiration: 60", "tokenExpiration: 30")
  .concat("      - { title: Contact, email: gis@example.org, type: contactUs }\n");

test.skipIf(!HAS_OPENSSL)(
  `docs/pictures/plan.svg shows what a plan prints${NEEDS_OPENSSL}`,
  async () => {
    const portal = await openPortal();
    portal.write(BEFORE);
    expect(await portal.run("lintel apply --yes")).toContain("6 set");
    portal.write(AFTER);
    const printed = await portal.run("lintel plan");

    const path = join(PROJECT, "docs/pictures/plan.svg");
    const picture = terminalPicture("lintel plan", printed);
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, picture);
    expect(picture).toBe(readFileSync(path, "utf8"));
  },
);

/** A sandbox that is reached as https://gis.example.com, through a proxy; and a folder with its file. */
async function openPortal() {
  const sandbox = await openSandbox({ version: "11.5" });
  const { server, ca } = makeCertificates();
  const front = createServer(server, (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const { host } = new URL(sandbox.portalUrl);
    const passed = request(`http://${host}${url}`, { method, headers: { ...headers, host } });
    passed.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  const proxy = await serveProxy({ far: await listen(front) });

  const folder = folderOf({ "ca.pem": ca });
  onTestFinished(() => folder.remove());
  const env = environment({
    ...keysOf(sandbox),
    ...installLintel(folder.path),
    HTTPS_PROXY: `http://${proxy.host}`,
    LINTEL_CA_FILE: join(folder.path, "ca.pem"),
  });
  return {
    write: (text: string) => writeFileSync(join(folder.path, "portal.yaml"), text),
    run: async (command: string) => (await runInTerminal(command, { cwd: folder.path, env })).text,
  };
}
