// The examples are fit to be copied: each is checked, and those that run are run.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { lintel } from "./run/call.js";
import { folderOf, PROJECT, runProgram } from "./support/run.js";
import { findFiles } from "../src/document/find.js";
import { startSandbox } from "../src/sandbox/sandbox.js";
import { asAdmin, sharedPostgres } from "./support/postgres.js";
import { fileFor, keysOf, openSandbox } from "./support/sandbox.js";

test("every desired-state file among the examples is free of errors", async () => {
  const files = await findFiles(["examples"], PROJECT);
  const policies = [join("examples", "policy"), join("examples", "starters", "policy", "policy")];
  const desired = files.filter((file) => !policies.some((each) => file.startsWith(each)));
  const { exit, stdout } = await lintel(["validate", ...desired]);
  expect(stdout).toMatch(/files?: no problems|warning/);
  expect(exit).toBe(0);
});

test("the demo runs from beginning to end", async () => {
  const { exit, stdout, stderr } = await runProgram(process.execPath, [
    join(PROJECT, "examples/quickstart/demo.mjs"),
  ]);
  expect({ exit, stderr: stderr.trim() }).toEqual({
    exit: 0,
    stderr: "Saved plan.json. To apply exactly this plan:\n  lintel apply plan.json",
  });
  const told = [...stdout.matchAll(/^\$ lintel (.+)$/gm)].map(([, words]) => words);
  expect(told).toEqual([
    "sandbox --target 11.5 --output json &",
    "validate",
    "validate",
    "plan --save plan.json",
    "apply plan.json",
    "plan",
    "drift",
    "apply --yes",
    "apply --yes --allow overwrite-drift",
    "history",
  ]);
  expect(stdout).toContain("No changes.");
});

test("the program that embeds Lintel applies a banner, and refuses anything more", async () => {
  const sandbox = await openSandbox();
  const banner = "settings:\n  informationalBanner: { text: Back at noon, enabled: true }\n";
  const file = fileFor(sandbox, banner);
  const folder = folderOf({ "portal.yaml": file });
  onTestFinished(() => folder.remove());
  const example = join(PROJECT, "examples/library/apply.mjs");
  const run = () =>
    runProgram(process.execPath, [example], { cwd: folder.path, env: keysOf(sandbox) });
  const first = await run();
  expect(first).toMatchObject({ exit: 0, stderr: "" });
  expect(first.stdout).toContain("1 portal: 2 set.");
  expect(sandbox.settings()).toEqual({
    informationalBanner: { text: "Back at noon", enabled: true },
  });
  writeFileSync(join(folder.path, "portal.yaml"), `${file}  blockBetaApps: true\n`);
  expect(await run()).toMatchObject({ exit: 1 });
  expect(sandbox.settings()).not.toHaveProperty("blockBetaApps");
});

test("on three workers a change reaches every portal although one is killed, and the page shows it", async () => {
  const server = await sharedPostgres(inject("postgres"));
  const schema = `example_${process.pid}`;
  onTestFinished(() =>
    asAdmin(server, "lintel", async (ask) => {
      for (const each of [schema, `${schema}_jobs`]) await ask(`DROP SCHEMA ${each} CASCADE`);
    }),
  );
  const address = `postgres://lintel@127.0.0.1:${server.port}/lintel?schema=${schema}`;
  const demo = join(PROJECT, "examples/many-machines/demo.mjs");
  const { exit, stdout, stderr } = await runProgram(process.execPath, [demo, address]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(stdout.match(/^worker-1 has ended with SIGKILL$/m)).not.toBeNull();
  expect(stdout.match(/^The page shows 5 portals in sync, by \w+\.$/gm)).toHaveLength(2);
  expect(stdout.match(/ has ended with 0$/gm)).toHaveLength(3);
});

test("the way up from 10.9 ends with a portal of 11.5 that is as its old file had it", async () => {
  const example = join(PROJECT, "examples/upgrade-from-10.9");
  const folder = folderOf({ "config.js": readFileSync(join(example, "config.js")) });
  const data = folderOf();
  onTestFinished(() => [folder, data].forEach((each) => each.remove()));
  const file = join(folder.path, "portal.yaml");
  const dataDir = data.path;
  let sandbox = await startSandbox({ version: "11.0", dataDir });
  onTestFinished(() => sandbox.close());
  const readme = readFileSync(join(example, "README.md"), "utf8");
  const calls = [...readme.matchAll(/^ *lintel (.+)$/gm)].map(([, words = ""]) => words);
  const verbs = calls.map((words) => words.split(" ")[0]);
  expect(verbs.join(" ")).toBe("migrate validate plan apply plan upgrade upgrade validate plan");
  for (const [at, words] of calls.entries()) {
    // What the text tells a person to do beside the commands.
    if (verbs[at - 1] === "validate" && verbs[at] === "plan" && at === 2) {
      const { portalUrl, signInUrl } = sandbox;
      const written = readFileSync(file, "utf8");
      const url = "https://maps.example.org/portal/sharing/rest";
      expect(written).toContain(url);
      writeFileSync(file, `${written.replace(url, portalUrl)}\nsignIn: { url: "${signInUrl}" }\n`);
    }
    if (verbs[at] === "upgrade" && verbs[at - 1] !== "upgrade") {
      const port = Number(new URL(sandbox.url).port);
      await sandbox.close();
      sandbox = await startSandbox({ version: "11.5", dataDir, port });
    }
    const ran = await lintel(words.split(" "), { cwd: folder.path, env: keysOf(sandbox) });
    expect([words, ran.exit, ran.stdout]).toEqual([words, 0, ran.stdout]);
  }
  expect(readFileSync(file, "utf8")).toContain('targetVersion: "11.5"');
  expect(sandbox.settings()).toMatchObject({
    portalConfigProperties: {
      tokenExpiration: 30,
      surveyUrl: "https://maps.example.org/survey",
      restrictOrganizationPageToAdmin: true,
    },
  });
});
