// lintel serve --port: the dashboard of a real run, from its first line to its end.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { BIN, environment, folderOf, lintel } from "../../support/run.js";
import { fileFor, keysOf, openSandbox } from "../../support/sandbox.js";

const SETTINGS = "settings: { informationalBanner: { text: Welcome, enabled: true } }\n";

async function applied() {
  const sandbox = await openSandbox();
  const folder = folderOf({ "portal.yaml": fileFor(sandbox, SETTINGS) });
  onTestFinished(() => folder.remove());
  const env = { ...keysOf(sandbox), HOME: folder.path };
  expect(await lintel(["apply", "--yes", "-q"], { cwd: folder.path, env })).toMatchObject({
    exit: 0,
  });
  return { sandbox, folder: folder.path, env };
}

interface Started {
  readonly message: string;
  readonly url: string;
}

/** Once it has told where its page is. */
async function serve(cwd: string, env: Record<string, string>, words: readonly string[]) {
  const line = [BIN, "serve", "-o", "json", "--port", "0", ...words];
  const child = spawn(process.execPath, line, { cwd, env: environment(env) });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => (stderr += part));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) throw new Error(`It ended at once: ${stderr}`);
  const started = JSON.parse(first.value) as Started;
  const end = async () => {
    child.kill("SIGTERM");
    await once(child, "close");
    return { exit: child.exitCode, stderr };
  };
  return { ...started, hangup: () => child.kill("SIGHUP"), end };
}

interface Told {
  readonly portal: { readonly status: string; readonly settings: object };
}

test("shows what checks find, and calls no portal for a page", async () => {
  const { sandbox, folder, env } = await applied();
  const page = await serve(folder, env, []);
  expect(page.message).toContain(`Dashboard: ${page.url}/`);
  const wanted = async () =>
    (await listed(page.url)).filter(({ status }) => status === "in-sync").map(({ key }) => key);
  await expect.poll(wanted).toHaveLength(1);
  const [key] = await wanted();
  expect(await (await fetch(`${page.url}/readyz`)).text()).toBe("ok\n");
  const asked = sandbox.requests.length;
  for (const path of [
    "/",
    `/portals/${key}`,
    `/portals/${key}/home/member`,
    `/api/portals/${key}`,
  ]) {
    expect((await fetch(page.url + path)).status).toBe(200);
  }
  expect(sandbox.requests).toHaveLength(asked);
  sandbox.change("self", { informationalBanner: { text: "By hand", enabled: true } });
  page.hangup();
  const one = async () => (await (await fetch(`${page.url}/api/portals/${key}`)).json()) as Told;
  await expect.poll(async () => (await one()).portal.status).toBe("drifted");
  expect((await one()).portal).toMatchObject({
    drift: [{ path: "informationalBanner.text", proven: "Welcome", live: "By hand" }],
    guards: ["overwrite-drift"],
    settings: { informationalBanner: { text: "By hand" } },
    history: [{ kind: "apply" }],
  });
  const html = async () => (await fetch(`${page.url}/portals/${key}`)).text();
  expect(await html()).toContain("lintel explain overwrite-drift");
  expect(await html()).not.toContain("--allow");
  const metrics = await (await fetch(`${page.url}/metrics`)).text();
  expect(metrics).toMatch(/^lintel_checks_total 2$/m);
  expect(metrics).toContain("# TYPE lintel_events_unsent gauge\n");
  expect(metrics).toMatch(/^lintel_requests_total\{outcome="2xx"\} [1-9]/m);
  expect(metrics).toMatch(/^process_resident_memory_bytes \d{8,}$/m);
  const words = ["hold", "portal.yaml", "--why", "The servers move."];
  expect(await lintel(words, { cwd: folder, env })).toMatchObject({ exit: 0 });
  page.hangup();
  await expect.poll(async () => (await one()).portal.status).toBe("held");
  // Nothing else would be let through.
  expect(await html()).toMatch(/The servers move\.[^]*lintel unhold portal\.yaml/);
  expect(await html()).not.toContain("lintel apply");
  // A file with an error keeps name and history.
  const path = join(folder, "portal.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace("Welcome", "{}"));
  page.hangup();
  await expect.poll(async () => (await one()).portal.status).toBe("invalid");
  expect((await one()).portal).toMatchObject({
    name: "portal",
    history: [{ kind: "apply" }, { kind: "hold" }],
    stateFailure: null,
  });
  writeFileSync(path, "a: [");
  page.hangup();
  await expect
    .poll(async () => (await one()).portal)
    .toMatchObject({
      status: "invalid",
      name: "portal",
      failure: { message: expect.stringContaining("portal.yaml:1") as string },
      history: [{ kind: "apply" }, { kind: "hold" }],
    });
  expect(await page.end()).toEqual({ exit: 0, stderr: "" });
});

async function listed(url: string) {
  const { portals } = (await (await fetch(`${url}/api/portals`)).json()) as {
    portals: readonly { readonly key: string; readonly status: string }[];
  };
  return portals;
}

test.each([
  [["--host", "0.0.0.0"], /LINTEL_SERVE_TOKEN is not set/],
  [["--tls-cert", "page.crt"], /"--tls-cert" needs "--tls-key"/],
  [["--tls-cert", "no.crt", "--tls-key", "no.key", "--public-url", "x"], /not set/],
])("refuses %j before it checks a portal", async (words, message) => {
  const { sandbox, folder, env } = await applied();
  const asked = sandbox.requests.length;
  const ran = await lintel(["serve", "--port", "0", ...words], { cwd: folder, env });
  expect(ran).toMatchObject({ exit: 64, stderr: expect.stringMatching(message) });
  expect(sandbox.requests).toHaveLength(asked);
  const lonely = await lintel(["serve", ...words], { cwd: folder, env });
  expect(lonely).toMatchObject({
    exit: 64,
    stderr: expect.stringMatching(/is about the dashboard, which needs/),
  });
});

test("with a queue, actions are refused with the commands to use instead", async () => {
  const folder = folderOf({ "portal.yaml": "" });
  onTestFinished(() => folder.remove());
  const words = ["--queue=postgres://db.example.com/lintel", "--allow-actions=apply"];
  const ran = await lintel(["serve", "portal.yaml", ...words], { cwd: folder.path });
  expect(ran.exit).toBe(64);
  expect(ran.stderr).toContain('"--allow-actions" cannot be used with a queue');
  expect(ran.stderr).toContain("lintel queue retry PORTAL");
});
