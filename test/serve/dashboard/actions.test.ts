// Actions of operators on a real run: what they change at the portal and in its state, and what stops them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { request as send } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { BIN, environment, folderOf, lintel } from "../../support/run.js";
import { fileFor, keysOf, openSandbox } from "../../support/sandbox.js";
import { isUpdate } from "../../run/place.js";

const PUBLIC = "https://lintel.example.com";
const ROLES = "roles:\n  operators:\n    admins: ['*']\n";
const settings = (text: string) =>
  `settings: { informationalBanner: { text: ${text}, enabled: true } }\n`;

interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Nothing is applied without an operator, nor checked during the test. */
const MANUAL = ["--allow-actions=refresh,apply,hold", "--every=7d"];

/** A run whose dashboard listens on a socket, as behind a proxy on the same machine. */
async function serving(words: readonly string[], head = "") {
  const sandbox = await openSandbox();
  const contentOf = (text: string) => head + fileFor(sandbox, settings(text));
  const folder = folderOf({
    "portal.yaml": contentOf("Welcome"),
    "lintel.yaml": ROLES,
  });
  onTestFinished(() => folder.remove());
  const cwd = folder.path;
  const env = { ...keysOf(sandbox), HOME: cwd };
  expect(await lintel(["apply", "--yes", "-q"], { cwd, env })).toMatchObject({ exit: 0 });
  const socket = join(cwd, "lintel.sock");
  const line = [
    "serve",
    "portal.yaml",
    "--output=json",
    `--socket=${socket}`,
    "--auth-proxy",
    `--public-url=${PUBLIC}`,
    ...words,
  ];
  const child = spawn(process.execPath, [BIN, ...line], { cwd, env: environment(env) });
  onTestFinished(() => void child.kill("SIGKILL"));
  const events: { readonly event: string; readonly message: string }[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (text) => events.push(JSON.parse(text) as (typeof events)[number]));
  await once(lines, "line");

  function ask(method: string, path: string, body = ""): Promise<Answered> {
    const headers = {
      host: new URL(PUBLIC).host,
      ...(method === "POST" && { origin: PUBLIC }),
      "x-forwarded-user": "ana@example.com",
      "x-forwarded-groups": "admins",
    };
    return new Promise((done, fail) => {
      const asked = send({ socketPath: socket, method, path, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () => done({ status: response.statusCode ?? 0, body: text }));
      });
      asked.on("error", fail).end(body);
    });
  }
  const portal = async () => {
    const { body } = await ask("GET", "/api/portals/portal");
    return (JSON.parse(body) as { portal: Portal }).portal;
  };
  await expect.poll(async () => (await portal()).status).toBe("in-sync");
  const { key } = await portal();
  const act = async (name: string, form: Record<string, string> = {}) => {
    const path = `/portals/${key}`;
    const { status } = await ask("POST", `${path}/${name}`, new URLSearchParams(form).toString());
    expect(status).toBe(303);
    const { body } = await ask("GET", path);
    return /id="result"[^>]*>([^<]*)</.exec(body)?.[1]?.trim() ?? "";
  };
  const banner = () =>
    (sandbox.settings("self")["informationalBanner"] as { text?: string } | undefined)?.text;
  const write = (text: string) => {
    writeFileSync(join(cwd, "portal.yaml"), contentOf(text));
    child.kill("SIGHUP");
  };
  return { sandbox, cwd, env, events, ask, act, portal, key, banner, write };
}

interface Portal {
  readonly key: string;
  readonly status: string;
  readonly planDigest: string | null;
  readonly history: readonly { readonly kind: string; readonly by: { readonly actor: string } }[];
}

test("an operator holds a portal, sees the plan that follows, and ends the hold; both are in the history with the name", async () => {
  const { act, ask, portal, key, events, write, banner } = await serving([
    "--allow-actions=refresh,hold",
  ]);
  expect(await act("hold", { reason: "" })).toContain("The reason is missing.");
  expect(await act("hold", { reason: "The servers move.", hours: "4" })).toMatch(
    /^On hold until \d{4}-\d\d-\d\d \d\d:\d\d UTC: The servers move\.$/,
  );
  expect((await portal()).status).toBe("held");
  expect(await act("hold", { reason: "Mine", hours: "1" })).toContain("already on hold by ana");
  expect(await act("hold", { reason: "Mine", hours: "0.001" })).toContain(
    "one of the listed durations",
  );
  expect((await portal()).history.at(-1)).toMatchObject({
    kind: "hold",
    by: { actor: "ana@example.com" },
  });
  write("Goodbye");
  const plan = async () => (await ask("GET", `/portals/${key}/unhold`)).body;
  await expect.poll(async () => act("refresh")).not.toContain("Another check");
  const before = await plan();
  expect(before).toContain("Goodbye");
  expect(before).toMatch(/Held by[^]*ana@example\.com[^]*Reason[^]*The servers move\./);
  expect(before).toContain("Unholding applies nothing.");
  const digest = /name="plan" value="(\w+)"/.exec(before)?.[1] ?? "";
  write("Later");
  expect(await act("unhold", { plan: digest })).toContain("The plan changed");
  expect((await portal()).history.at(-1)).toMatchObject({ kind: "hold" });
  const after = /name="plan" value="(\w+)"/.exec(await plan())?.[1] ?? "";
  expect(await act("unhold", { plan: after })).toContain("The hold is removed.");
  expect((await portal()).history.at(-1)).toMatchObject({
    kind: "unhold",
    by: { actor: "ana@example.com" },
  });
  const actions = events.filter(({ event }) => event === "action").map(({ message }) => message);
  expect(actions.filter((each) => each.startsWith("Unhold"))).toHaveLength(2);
  expect(actions[0]).toContain("ana@example.com");
  // Actions that are not listed are not there.
  expect((await ask("POST", `/portals/${key}/apply`, "plan=x")).status).toBe(404);
  expect(banner()).toBe("Welcome");
});

test("an apply sends the plan that the operator saw, once, with the operator's name, and nothing of another plan", async () => {
  const { act, ask, key, portal, sandbox, banner, write } = await serving(MANUAL);
  write("Goodbye");
  await expect.poll(async () => (await portal()).status).toBe("pending");
  const { planDigest } = await portal();
  const page = async () => (await ask("GET", `/portals/${key}`)).body;
  expect(await page()).toContain(`name="plan" value="${planDigest}"`);
  expect(await act("apply", { plan: "0".repeat(64) })).toContain("The plan changed");
  expect(await act("apply")).toContain("The plan changed");
  expect(banner()).toBe("Welcome");
  const updates = sandbox.requests.filter(isUpdate).length;
  // A check may be running, which refuses it.
  await expect
    .poll(() => act("apply", { plan: planDigest ?? "" }))
    .toBe("Applied. This is apply 2.");
  expect(banner()).toBe("Goodbye");
  expect(sandbox.requests.filter(isUpdate)).toHaveLength(updates + 1);
  expect((await portal()).history.at(-1)).toMatchObject({
    kind: "apply",
    by: { actor: "ana@example.com" },
  });
  expect(await page()).not.toContain('name="plan"');
  await expect.poll(() => act("apply", { plan: planDigest ?? "" })).toContain("The plan changed");
  const now = (await portal()).planDigest ?? "";
  await expect.poll(() => act("apply", { plan: now })).toContain("The plan changed");
  expect(sandbox.requests.filter(isUpdate)).toHaveLength(updates + 1);
});

test("an apply does not send what a guard blocks, and is not offered", async () => {
  const { act, portal, sandbox, banner, ask, key } = await serving(MANUAL);
  sandbox.change("self", { informationalBanner: { text: "By hand", enabled: true } });
  await act("refresh");
  const { planDigest, status } = await portal();
  expect([status, planDigest]).toEqual(["drifted", expect.stringMatching(/^\w{10,}$/)]);
  expect((await ask("GET", `/portals/${key}`)).body).not.toContain('name="plan"');
  const result = await act("apply", { plan: planDigest ?? "" });
  expect(result).toContain("Blocked by the guard");
  expect(result).not.toContain("--allow");
  expect((await ask("GET", `/portals/${key}`)).body).not.toContain("--allow");
  expect(banner()).toBe("By hand");
});

test("a refresh sends nothing, and an operator restores drift that the file lets Lintel restore", async () => {
  const words = [...MANUAL, "--apply=drift"];
  const { act, portal, sandbox, banner } = await serving(words, "drift: restore\n");
  sandbox.change("self", { informationalBanner: { text: "By hand", enabled: true } });
  const updates = sandbox.requests.filter(isUpdate).length;
  expect(await act("refresh")).toBe("Checked. Status: Drifted.");
  expect(sandbox.requests.filter(isUpdate)).toHaveLength(updates);
  expect(banner()).toBe("By hand");
  const { planDigest } = await portal();
  // A check may be running, which refuses it.
  await expect
    .poll(() => act("apply", { plan: planDigest ?? "" }))
    .toBe("Applied. This is apply 2.");
  expect(banner()).toBe("Welcome");
});

test("an automatic apply names Lintel as its author, and unholding applies at once", async () => {
  const words = ["--allow-actions=hold", "--apply=files", "--every=7d"];
  const { act, ask, key, portal, banner, write } = await serving(words);
  await act("hold", { reason: "The servers move." });
  write("Goodbye");
  await expect.poll(async () => (await portal()).planDigest).not.toBeNull();
  const { body } = await ask("GET", `/portals/${key}/unhold`);
  expect(body).toContain("Unholding applies the changes below at once.");
  const plan = /name="plan" value="(\w+)"/.exec(body)?.[1] ?? "";
  expect(await act("unhold", { plan })).toBe("The hold is removed.");
  expect(banner()).toBe("Goodbye");
  expect((await portal()).history.at(-1)).toMatchObject({
    kind: "apply",
    by: { actor: "lintel (automatic)" },
  });
});

test("a page names the role of the user and what is applied, and shows a result once", async () => {
  const { ask, key } = await serving([...MANUAL, "--apply=schedule"]);
  const page = async () => (await ask("GET", `/portals/${key}`)).body;
  expect(await page()).toMatch(/ana@example\.com<\/bdi>, operator of all portals/);
  expect(await page()).toContain(
    "Applied automatically: schedule. Operators may use: refresh, apply and hold.",
  );
  expect((await ask("POST", `/portals/${key}/refresh`)).status).toBe(303);
  expect(await page()).toContain("Checked. Status: In sync.");
  expect(await page()).not.toContain("Checked. Status");
});
