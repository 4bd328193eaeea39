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

/** A run whose dashboard listens on a socket, as behind a proxy on the same machine. */
async function serving(words: readonly string[]) {
  const sandbox = await openSandbox();
  const folder = folderOf({
    "portal.yaml": fileFor(sandbox, settings("Welcome")),
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
    "--allow-actions",
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
    writeFileSync(join(cwd, "portal.yaml"), fileFor(sandbox, settings(text)));
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
  const { act, ask, portal, key, events, write, banner } = await serving([]);
  expect(await act("hold", { reason: "" })).toContain("The reason is missing.");
  expect(await act("hold", { reason: "The servers move.", hours: "4" })).toContain("On hold until");
  expect((await portal()).status).toBe("held");
  expect(await act("hold", { reason: "Mine", hours: "1" })).toContain("already on hold by ana");
  expect(await act("hold", { reason: "Mine", hours: "0.001" })).toContain("one of the listed ends");
  expect((await portal()).history.at(-1)).toMatchObject({
    kind: "hold",
    by: { actor: "ana@example.com" },
  });
  write("Goodbye");
  const plan = async () => (await ask("GET", `/portals/${key}/unhold`)).body;
  await expect.poll(async () => act("refresh")).not.toContain("Another check");
  const before = await plan();
  expect(before).toContain("Goodbye");
  const digest = /name="plan" value="(\w+)"/.exec(before)?.[1] ?? "";
  write("Later");
  expect(await act("unhold", { plan: digest })).toContain("The plan changed");
  expect((await portal()).history.at(-1)).toMatchObject({ kind: "hold" });
  const after = /name="plan" value="(\w+)"/.exec(await plan())?.[1] ?? "";
  expect(await act("unhold", { plan: after })).toContain("The hold has ended.");
  expect((await portal()).history.at(-1)).toMatchObject({
    kind: "unhold",
    by: { actor: "ana@example.com" },
  });
  const actions = events.filter(({ event }) => event === "action").map(({ message }) => message);
  expect(actions.filter((each) => each.includes('"unhold"'))).toHaveLength(2);
  expect(actions[0]).toContain("ana@example.com");
  // Without --apply, nothing was sent.
  expect(banner()).toBe("Welcome");
});

test("an apply sends the plan that the operator saw, once, with the operator's name, and nothing of another plan", async () => {
  const { act, portal, cwd, env, sandbox, banner, write } = await serving([
    "--apply=files",
    "--every=7d",
  ]);
  await act("hold", { reason: "The servers move." });
  write("Goodbye");
  const isPlanned = async () => (await portal()).planDigest !== null;
  await expect.poll(isPlanned).toBe(true);
  const { planDigest } = await portal();
  expect(await lintel(["unhold", "portal.yaml"], { cwd, env })).toMatchObject({ exit: 0 });
  expect(await act("apply", { plan: "0".repeat(64) })).toContain("The plan changed");
  expect(await act("apply")).toContain("The plan changed");
  expect(banner()).toBe("Welcome");
  const updates = sandbox.requests.filter(isUpdate).length;
  expect(await act("apply", { plan: planDigest ?? "" })).toBe("Applied as number 2.");
  expect(banner()).toBe("Goodbye");
  expect(sandbox.requests.filter(isUpdate)).toHaveLength(updates + 1);
  expect((await portal()).history.at(-1)).toMatchObject({
    kind: "apply",
    by: { actor: "ana@example.com" },
  });
  expect(await act("apply", { plan: planDigest ?? "" })).not.toContain("Applied");
});

test("an apply does not send what --apply excludes, nor what a guard blocks", async () => {
  const { act, portal, sandbox, banner, ask, key } = await serving(["--apply=files", "--every=7d"]);
  sandbox.change("self", { informationalBanner: { text: "By hand", enabled: true } });
  await act("refresh");
  const { planDigest, status } = await portal();
  expect([status, planDigest]).toEqual(["drifted", expect.stringMatching(/^\w{10,}$/)]);
  const result = await act("apply", { plan: planDigest ?? "" });
  expect(result).not.toContain("Applied");
  expect(result).not.toContain("--allow");
  expect((await ask("GET", `/portals/${key}`)).body).not.toContain("--allow");
  expect(banner()).toBe("By hand");
});
