// The README is true: its tables, its example, its commands and its links.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import packageFacts from "../package.json" with { type: "json" };
import { COMMANDS } from "../src/commands/list.js";
import { EXIT_MEANINGS } from "../src/commands/help.js";
import { check } from "../src/document/check/check.js";
import { readInput } from "../src/document/read/bytes.js";
import { RULES } from "../src/document/check/rules/all.js";
import { GUARD_RULES } from "../src/plan/guards/all.js";
import { EXIT } from "../src/failure.js";
import { SIGN_IN_METHODS, type SignInField } from "../src/sign-in.js";
import { MAY_IMPORT, NOUNS } from "./support/map.js";
import { PROJECT } from "./support/run.js";

const readme = readFileSync(join(PROJECT, "README.md"), "utf8");

/** The rows of the table whose head begins so. */
function rowsUnder(head: string): string[][] {
  const [, after = ""] = readme.split(`\n| ${head}`);
  const lines = after.split("\n").slice(2);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("the tests that the page on security names are there", () => {
  const page = readFileSync(join(PROJECT, "docs/security.md"), "utf8");
  const named = [...page.matchAll(/`(test\/[^`]+)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
});

test("the table of exit statuses is the program's", () => {
  expect(rowsUnder("Status | Meaning")).toEqual(
    Object.entries(EXIT_MEANINGS).map(([name, meaning]) => [
      String(EXIT[name as keyof typeof EXIT]),
      meaning,
    ]),
  );
});

test("the table of commands is the program's", () => {
  expect(rowsUnder("Command | What it does")).toEqual(
    COMMANDS.map(({ name, operands, summary }) => [
      `\`lintel ${name} ${operands}`.trimEnd() + "`",
      summary,
    ]),
  );
});

test("the map of rooms is the one that the tests execute", () => {
  const rooms = rowsUnder("Room | What it is for").map(([room = "", , may = ""]) => [
    room.startsWith("nouns") ? "nouns" : room.replaceAll("`", ""),
    may.split(", ").toSorted(),
  ]);
  const executed = Object.entries(MAY_IMPORT).map(([room, may]) => [
    room,
    (room === "nouns" ? ["nouns"] : may.filter((each) => each !== "package.json")).toSorted(),
  ]);
  expect(Object.fromEntries(rooms)).toEqual(Object.fromEntries(executed));
  const [nouns = []] = rowsUnder("Room | What it is for");
  expect([...(nouns[0] ?? "").matchAll(/`([\w-]+)`/g)].map(([, name]) => name)).toEqual(NOUNS);
});

test("the table of sign-in methods names every method, field and variable", () => {
  const rows = rowsUnder("Method | Fields");
  for (const [method, fields] of Object.entries(SIGN_IN_METHODS)) {
    const [, text = ""] = rows.find(([name]) => name?.includes(`\`${method}\``)) ?? [];
    for (const [name, field] of Object.entries<SignInField>(fields)) {
      expect(text).toContain(`\`${name}\``);
      if (field.variable) expect(text).toContain(field.variable);
    }
  }
});

test("the words on which sign-in method to choose name every method", () => {
  const [, words = ""] = /\n(Choose `loginadmin`.*)\n/.exec(readme) ?? [];
  for (const method of Object.keys(SIGN_IN_METHODS)) expect(words).toContain(`\`${method}\``);
});

test("the table of rules names every rule with its severity", () => {
  expect(rowsUnder("Rule | Severity")).toEqual(
    RULES.map(({ code, severity, meaning }) => [`\`${code}\``, severity, meaning]),
  );
});

test("the table of guards says what each of them stops", () => {
  expect(rowsUnder("Guard | Severity")).toEqual(
    Object.entries(GUARD_RULES).map(([name, { severity, stops }]) => [
      `\`${name}\``,
      severity,
      stops,
    ]),
  );
});

test("the example file has no problems", () => {
  const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
  const { diagnostics } = check("-", readInput(Buffer.from(example)), { cwd: PROJECT, env: {} });
  expect(diagnostics).toEqual([]);
});

test("the two commands are scripts of the project, and every link leads somewhere", () => {
  for (const [, script = ""] of readme.matchAll(/npm ci && npm (?:run )?(\w+)/g)) {
    expect(packageFacts.scripts).toHaveProperty(script);
  }
  for (const [, link = ""] of readme.matchAll(/\]\((?!http)([^)#]+)\)/g)) {
    expect(existsSync(join(PROJECT, link))).toBe(true);
  }
});
