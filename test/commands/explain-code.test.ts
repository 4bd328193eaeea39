// lintel explain with a code of a message, or with an exit status.
import { expect, test } from "vitest";
import { DIAGNOSTICS } from "../../src/diagnostic.js";
import { ALL, optionsOf } from "../../src/cli/all.js";
import { CODES, explainCode } from "../../src/commands/explain/code.js";
import { explainOption } from "../../src/commands/explain/option.js";
import { EXIT, FAILURES } from "../../src/failure.js";
import { NOTE_CODES } from "../../src/plan/note.js";
import { stylesFor } from "../../src/report/styles.js";
import { PROJECT } from "../support/run.js";
import { call } from "../run/call.js";

const plain = stylesFor({ isColoured: false, columns: 80 });

test("explains every failure, every problem of a file and every exit status", () => {
  const names = [
    ...Object.keys(FAILURES),
    ...Object.keys(DIAGNOSTICS),
    ...Object.keys(NOTE_CODES),
    ...Object.values(EXIT),
  ];
  for (const name of names.map(String)) {
    expect(CODES).toContain(name);
    const text = explainCode(name)?.text(plain);
    expect(text).toMatch(new RegExp(`^${name}\\n {2}\\S.*`));
  }
});

test.each([
  ["held", "A failure: an apply or rollback that a hold stops."],
  ["held", "The command ends with 7: stopped by a guard, a hold or a policy."],
  ["unknown-key", "An error in a file: a key that is not known where it stands."],
  ["unlikely-address", "A warning in a file: "],
  [
    "7",
    "Failures that end with it: not-approved, guarded, against-policy, held, commit-not-contained, history-rewritten.",
  ],
])("explain %s says: %s", async (name, says) => {
  const { exit, stdout } = await call(["explain", name], { cwd: PROJECT, env: {} });
  expect(exit).toBe(0);
  expect(stdout.replace(/\s+/g, " ")).toContain(says);
});

test("says of a code all that it stands for", async () => {
  const { stdout } = await call(["explain", "file-not-readable", "--json"], {
    cwd: PROJECT,
    env: {},
  });
  const { code } = JSON.parse(stdout) as { code: object };
  expect(code).toMatchObject({ code: "file-not-readable", exit: 1, severity: "error" });
});

test.each([
  ["allow", ["Guards that a review has opened", "--allow GUARD"]],
  ["policy", ["Rules of your own", "--policy PATH", "lintel policy --help"]],
  ["hold", ["lintel hold --help"]],
])("explains all that %s names", async (name, texts) => {
  const { exit, stdout } = await call(["explain", name], { cwd: PROJECT, env: {} });
  expect(exit).toBe(0);
  for (const text of texts) expect(stdout).toContain(text);
});

test("leaves a policy's code to its file", async () => {
  const { exit, stderr } = await call(["explain", "policy/tokens"], { cwd: PROJECT, env: {} });
  expect([exit, stderr]).toEqual([64, expect.stringContaining("lintel help policy")]);
});

test("explains every option of every command, and names the commands", async () => {
  for (const { name: command, load } of ALL) {
    for (const name of Object.keys(optionsOf((await load()).spec))) {
      const text = (await explainOption(name))?.text(plain);
      expect(text).toMatch(new RegExp(`--${name}[^]*Commands: [^]*\\b${command}\\b`));
    }
  }
  const { stderr } = await call(["explain", "--canary"], { cwd: PROJECT, env: {} });
  expect(stderr).toContain("lintel explain canary");
  const near = await call(["explain", "concurency"], { cwd: PROJECT, env: {} });
  expect(near.stderr).toContain('Did you mean "concurrency"?');
});

test("offers the code that is near", async () => {
  const { exit, stderr } = await call(["explain", "plan-stail"], { cwd: PROJECT, env: {} });
  expect(exit).toBe(64);
  expect(stderr).toContain('Did you mean "plan-stale"?');
});
