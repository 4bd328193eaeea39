// --pull: the checkout moves forward only, and no older commit is applied over a newer one.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sleep } from "../../src/io.js";
import { Checkout } from "../../src/serve/checkout.js";
import { ioFor } from "../run/call.js";
import { BIN, environment, folderOf } from "../support/run.js";
import { openNight } from "./night.js";

const START = Date.parse("2026-06-15T12:00:00Z");
const after = (minutes: number) => START + minutes * 60_000;
const WELCOME =
  "drift: restore\nsettings: { informationalBanner: { text: Welcome, enabled: true } }\n";
const HELLO = WELCOME.replace("Welcome", "Hello");
const WINDOW = `${WELCOME}schedule:
  night: { from: "2026-06-15T12:03", until: "2026-06-15T12:06", settings: { informationalBanner: { text: Night } } }
`;

async function openClone(text = WELCOME) {
  const night = await openNight(START, { portals: 1 });
  const origin = folderOf();
  onTestFinished(() => origin.remove());
  const git = (line: string, cwd = night.folder) =>
    execFileSync("git", line.split(" "), { cwd, encoding: "utf8", stdio: "pipe" });
  const as = "-c user.name=Ana -c user.email=ana@example.org";
  git("init -q --bare -b main .", origin.path);
  git("init -q -b main .");
  night.write("portal.yaml", "portal-1", `${text}state: file:.lintel\n`);
  writeFileSync(join(night.folder, ".gitignore"), ".lintel\n");
  git("add .");
  git(`${as} commit -q -m begin`);
  git(`remote add origin ${origin.path}`);
  git("push -q -u origin main");
  expect(await night.run("apply --yes -q")).toMatchObject({ exit: 0 });
  /** What somebody merges elsewhere. */
  const merge = (rest: string, message: string) => {
    const other = folderOf();
    git(`clone -q ${origin.path} .`, other.path);
    const { portalUrl, signInUrl } = night.sandbox;
    const head = `targetVersion: "12.1"\nportal: { url: "${portalUrl}", id: portal-1 }\nsignIn: { url: "${signInUrl}" }\n`;
    writeFileSync(join(other.path, "portal.yaml"), `${head}${rest}state: file:.lintel\n`);
    git(`${as} commit -q -a -m ${message}`, other.path);
    git("push -q origin main", other.path);
    other.remove();
  };
  const show = (text: string) =>
    night.sandbox.change("portal-1", { informationalBanner: { text, enabled: true } });
  const shown = () =>
    (night.sandbox.settings("portal-1")["informationalBanner"] as { text: string }).text;
  return { ...night, git, as, merge, show, shown };
}

type Clone = Awaited<ReturnType<typeof openClone>>;

const QUIET = { meanwhile: "", report: () => {}, onPulled: () => {} };
const ALL = ["--pull", "--apply", "schedule,drift,files"];

test("applies a merged commit within a minute", async () => {
  const clone = await openClone();
  const told = await clone.serve(ALL, after(5), [[after(2), () => clone.merge(HELLO, "hello")]]);
  expect(told.map(({ event }) => event)).toEqual(["started", "revision", "applied"]);
  expect(Date.parse(told.at(-1)?.time ?? "")).toBeLessThanOrEqual(after(3));
  expect(clone.shown()).toBe("Hello");
});

test("two merges within a minute are recorded with their own commits", async () => {
  const clone = await openClone();
  await clone.serve(ALL, after(5), [
    [after(2) - 20_000, () => clone.merge(HELLO, "hello")],
    [after(2) + 5_000, () => clone.merge(WELCOME.replace("Welcome", "Bye"), "bye")],
  ]);
  expect(clone.shown()).toBe("Bye");
  const { stdout } = await clone.run("history portal.yaml -o json");
  for (const each of ["HEAD", "HEAD~1"])
    expect(stdout).toContain(clone.git(`rev-parse ${each}`).trim());
});

test("does not restore the old commit over a change by hand that a merge also makes", async () => {
  const clone = await openClone();
  const sent = () => clone.sandbox.requests.filter(({ path }) => path.endsWith("/update")).length;
  const before = sent();
  const told = await clone.serve([...ALL, "--every", "10s"], after(5), [
    [
      after(2) + 1_000,
      () => {
        clone.merge(HELLO, "hello");
        clone.show("Hello");
      },
    ],
  ]);
  expect(told.filter(({ event }) => event === "revision")).toHaveLength(1);
  expect(clone.shown()).toBe("Hello");
  expect(sent()).toBe(before);
});

test("a checkout with its own commits stays, reported once; windows continue, drift is not restored", async () => {
  const clone = await openClone(WINDOW);
  clone.git(`${clone.as} commit -q --allow-empty -m own`);
  clone.merge(WINDOW.replace("Night", "Late"), "late");
  const told = await clone.serve([...ALL, "--every", "1m"], after(12), [
    [
      after(1),
      () =>
        clone.sandbox.change("portal-1", {
          ...clone.sandbox.settings("portal-1"),
          blockBetaApps: true,
        }),
    ],
    [after(9), () => clone.show("Mine")],
  ]);
  expect(told.map(({ event }) => event)).toEqual([
    "revision",
    "started",
    "window",
    "window",
    "drift",
  ]);
  expect(told[0]).toMatchObject({
    stuck: expect.stringContaining("have diverged") as string,
  });
  expect(clone.shown()).toBe("Mine");
});

test("does not overwrite changes in the checkout, and moves once they are gone", async () => {
  const clone = await openClone();
  const own = join(clone.folder, "portal.yaml");
  clone.write("portal.yaml", "portal-1", `${WELCOME}state: file:.lintel # mine\n`);
  clone.merge(HELLO, "hello");
  const told = await clone.serve(ALL, after(5), [
    [after(2), () => void clone.git(`checkout -q -- ${own}`)],
  ]);
  expect(told.map(({ event }) => event)).toEqual(["revision", "started", "revision", "applied"]);
  expect(told[0]?.message).toContain("would be overwritten");
  expect(clone.shown()).toBe("Hello");
});

test.each([
  ["git switch main", "checkout -q --detach"],
  ["git branch --set-upstream-to=origin/main", "branch -q --unset-upstream"],
])("names the command that mends a checkout: %s", async (help, line) => {
  const clone = await openClone();
  clone.git(line);
  const [told] = await clone.serve(ALL, after(1));
  expect(told).toMatchObject({ event: "revision", help: expect.stringContaining(help) as string });
});

test.each([
  ["commits of its own", (clone: Clone) => clone.git(`${clone.as} commit -q --allow-empty -m own`)],
  [
    "a change of its own",
    (clone: Clone) => clone.write("portal.yaml", "portal-1", `${WELCOME}state: file:.lintel #\n`),
  ],
])("the way out of %s leads out", async (_what, change) => {
  const clone = await openClone();
  change(clone);
  clone.merge(HELLO, "hello");
  const [stuck] = await clone.serve(ALL, after(0.5));
  const ways = String(stuck?.["help"])
    .split("\n")
    .filter((line) => line.startsWith("  "));
  execFileSync("sh", ["-ec", ways.join("\n")], {
    stdio: "pipe",
    env: { ...process.env, PAGER: "" },
  });
  const told = await clone.serve(ALL, after(2));
  expect(told.map((each) => each["stuck"])).not.toContainEqual(expect.anything());
  expect(clone.shown()).toBe("Hello");
});

test("interrupted right before the checkout moves, it exits 0 and moves nothing", async () => {
  const clone = await openClone();
  const before = clone.git("rev-parse HEAD");
  clone.merge(HELLO, "hello");
  expect(await clone.serve(ALL, START + 1)).toEqual([]);
  expect(clone.git("rev-parse HEAD")).toBe(before);
});

/** A git that waits before it moves the checkout, and shows in which session it runs. */
function slowDown({ folder }: Pick<Clone, "folder">) {
  const bin = join(folder, ".git/bin");
  const [begun, goOn] = [join(folder, ".git/begun"), join(folder, ".git/go-on")];
  const { PATH = "" } = process.env;
  mkdirSync(bin);
  writeFileSync(
    join(bin, "git"),
    `#!/bin/sh
case " $* " in *" merge "*)
  cat /proc/$$/stat > ${begun}.tmp; mv ${begun}.tmp ${begun}
  while [ -e ${begun} ] && [ ! -e ${goOn} ]; do sleep 0.01; done
esac
PATH='${PATH}' exec git "$@"
`,
    { mode: 0o755 },
  );
  return {
    PATH: `${bin}:${PATH}`,
    begun: async () => {
      await expect.poll(() => existsSync(begun), { interval: 5 }).toBe(true);
      return sessionIn(readFileSync(begun, "utf8"));
    },
    goOn: () => writeFileSync(goOn, ""),
  };
}

/** What Linux tells of a process: of what follows its name, in brackets, the fourth. */
const sessionIn = (stat: string) => stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3];

test("interrupted while the checkout moves, it finishes the move", async () => {
  const clone = await openClone();
  clone.merge(HELLO, "hello");
  const slow = slowDown(clone);
  const stop = new AbortController();
  const { io } = ioFor({ cwd: clone.folder, env: clone.env, signal: stop.signal });
  const env = { ...io.env, PATH: slow.PATH };
  const checkout = new Checkout({ ...io, env, sleep }, clone.folder, QUIET);
  const begun = checkout.begin();
  await slow.begun();
  stop.abort();
  await begun;
  const end = checkout.end();
  slow.goOn();
  await end;
  expect(clone.git("rev-parse HEAD")).toBe(clone.git("rev-parse @{upstream}"));
  expect(clone.git("status --porcelain")).toBe("");
});

test("signals of the terminal do not reach a git that moves the checkout", async () => {
  const clone = await openClone();
  clone.merge(HELLO, "hello");
  const slow = slowDown(clone);
  const { io } = ioFor({ cwd: clone.folder, env: clone.env });
  const env = { ...io.env, PATH: slow.PATH };
  const stdin = { ...io.stdin, isTerminal: true };
  const checkout = new Checkout({ ...io, env, stdin, sleep }, clone.folder, QUIET);
  const moved = checkout.pull();
  expect(await slow.begun()).not.toBe(sessionIn(readFileSync("/proc/self/stat", "utf8")));
  slow.goOn();
  expect(await moved).toMatchObject({ is: "moved" });
});

test("killed while the checkout moves, its git finishes the move", async () => {
  const clone = await openClone();
  clone.merge(HELLO, "hello");
  const slow = slowDown(clone);
  // Git tells at once how far it is, not only after a while.
  const env = environment({ ...clone.env, PATH: slow.PATH, GIT_PROGRESS_DELAY: "0" });
  const child = spawn(process.execPath, [BIN, "serve", "--pull"], { cwd: clone.folder, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  await slow.begun();
  child.kill("SIGKILL");
  await once(child, "exit");
  slow.goOn();
  const head = () => clone.git("rev-parse HEAD");
  await expect.poll(head).toBe(clone.git("rev-parse @{upstream}"));
  expect(clone.git("status --porcelain")).toBe("");
});
