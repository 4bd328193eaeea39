// The help of the command line: one screen each, in short phrases, with a page of the manual.
import { describe, expect, test } from "vitest";
import { TEXTS } from "../../generated/docs/index.js";
import { ALL, optionsOf, specAt } from "../../src/cli/all.js";
import { commandHelp, describeOption, overview } from "../../src/cli/help.js";
import { main } from "../../src/cli/main.js";
import { GROUPS } from "../../src/commands/command.js";
import { NETWORK } from "../../src/commands/options.js";
import { stylesFor } from "../../src/report/styles.js";
import { widthOf } from "../../src/report/text-layout.js";
import { isCall, rowsUnder } from "../support/manual.js";
import { makeRun } from "../support/network.js";

const COLUMNS = 80;
const MOST_LINES = 40;
/** A line for each command. */
const MOST_LINES_OF_LIST = 42;
const TERMINAL = stylesFor({ isColoured: false, columns: COLUMNS });

const commands = await Promise.all(
  ALL.map(async (each) => ({ ...each, spec: (await each.load()).spec })),
);

const linesOf = (text: string) => text.trimEnd().split("\n");

async function run(...words: string[]) {
  const shown = { stdout: "", stderr: "" };
  const to = (name: keyof typeof shown) => ({
    write: (text: string) => void (shown[name] += text),
    isTerminal: true,
    columns: COLUMNS,
  });
  const { io } = makeRun();
  const streams = { stdout: to("stdout"), stderr: to("stderr") };
  const exit = await main(words, { ...io, ...streams, env: { NO_COLOR: "1" } });
  return { exit, ...shown };
}

describe("the list of commands", () => {
  const lines = linesOf(overview(TERMINAL));

  test("fits one screen and names ArcGIS Enterprise first", () => {
    expect(lines.length).toBeLessThanOrEqual(MOST_LINES_OF_LIST);
    expect(lines[0]).toContain("ArcGIS Enterprise");
  });

  test("has five groups, with every command once, on one line", () => {
    const headings = lines.filter((line) => (GROUPS as readonly string[]).includes(line));
    expect(headings).toEqual([...GROUPS]);
    for (const { name, summary } of ALL) {
      const found = lines.filter((line) => line.startsWith(`  ${name} `));
      expect(found).toHaveLength(1);
      expect(found[0]).toContain(summary);
      expect(widthOf(found[0] ?? "")).toBeLessThanOrEqual(COLUMNS);
    }
  });

  test("ends with the ways to more help and the version", () => {
    const end = lines.slice(-3).join("\n");
    for (const call of ["lintel COMMAND --help", "lintel help topics", "lintel --version"]) {
      expect(end).toContain(call);
    }
  });

  test("is printed by lintel, lintel help and lintel --help", async () => {
    const { stdout } = await run();
    expect(linesOf(stdout)).toEqual(lines);
    expect(await run("help")).toEqual({ exit: 0, stdout, stderr: "" });
    expect(await run("--help")).toEqual({ exit: 0, stdout, stderr: "" });
  });
});

/** Words of sentences that read as if translated. */
const SIGNS =
  /\b(somebody|nobody|whoever|anybody|is told|tells|otherwise than|by itself|once more|anew|say so|go on)\b/i;

test.each(
  commands.flatMap(({ name, summary, spec }) => [
    [name, summary] as const,
    ...Object.entries(optionsOf(spec)).map(
      ([option, { description }]) => [`${name} --${option}`, description] as const,
    ),
  ]),
)("the text of %s is one phrase of at most eight words", (_name, text) => {
  expect(text.split(" ").length).toBeLessThanOrEqual(8);
  expect(text).toMatch(/^[^;]+\.$/);
  expect(text).not.toMatch(SIGNS);
  expect(text).not.toMatch(/LINTEL_/);
});

const actions = commands.flatMap(({ name, summary, spec }) =>
  Object.keys(spec.actions ?? {}).map((action) => specAt({ name, summary }, spec, [action])),
);

test.each(actions)("the help of $name is short: its own options, and one example", async (own) => {
  const [, command = "", action = ""] = /^(\S+) (\S+)$/.exec(own.name) ?? [];
  const { stdout } = await run(command, action, "--help");
  const lines = linesOf(stdout);
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(lines.slice(0, 2)).toEqual([own.summary, expect.stringContaining(`lintel ${own.name}`)]);
  expect(own.summary.split(" ").length).toBeLessThanOrEqual(8);
  const [example] = own.spec.examples;
  expect(own.spec.examples).toHaveLength(1);
  expect(stdout).toContain(`\n  ${example?.[0]}`);
  expect(example?.[0]).toMatch(new RegExp(`^lintel ${own.name}( |$)`));
  const all = commands.find(({ name }) => name === command)?.spec.options ?? {};
  const others = Object.keys(all).filter((each) => !(each in own.spec.options));
  for (const option of others) expect(stdout).not.toContain(`--${option} `);
  expect(await run("help", command, action)).toMatchObject({ stdout });
});

describe.each(commands)("the help of $name", ({ spec, ...listed }) => {
  const text = commandHelp(listed, spec, TERMINAL);
  const lines = linesOf(text);

  test("fits one screen, with the examples before the options", () => {
    expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
    expect(lines.filter((line) => widthOf(line) > COLUMNS)).toEqual([]);
    expect(lines.indexOf("Examples")).toBeGreaterThan(0);
    expect(lines.indexOf("Examples")).toBeLessThan(lines.indexOf("Options"));
  });

  test("has at most one line for the note of an example", () => {
    for (const [call, note] of spec.examples) {
      const at = lines.findIndex((line) => `${line}  `.startsWith(`  ${call}  `));
      const [beside = "", below = ""] = lines.slice(at);
      expect([beside.slice(call.length + 2).trim(), below.trim()]).toContain(note);
    }
  });

  test("has examples that the command accepts", async () => {
    for (const [call] of spec.examples) {
      const [, words = ""] = /(?:^|<\()lintel ([^>)]*)/.exec(call) ?? [];
      expect([call, await isCall(words.split(/[ =]/))]).toEqual([call, true]);
    }
  });

  test("names the network options in one line", () => {
    const sends = "timeout" in spec.options;
    const found = lines.filter((line) => line === "Network options: lintel help network");
    expect(found).toHaveLength(sends ? 1 : 0);
    expect(text).not.toMatch(/^ +--(ca-file|cert|key|timeout|verbose)\b/m);
  });

  test("ends with a page of the manual", () => {
    const [, topic = ""] = /^Manual: lintel help ([a-z-]+)$/.exec(lines.at(-1) ?? "") ?? [];
    expect([...Object.keys(TEXTS), "topics"]).toContain(topic);
  });

  test("shows the environment variable of an option", () => {
    for (const { variable, describedIn } of Object.values(optionsOf(spec))) {
      if (variable !== undefined && !describedIn) expect(text).toContain(`Env: ${variable}.`);
    }
  });
});

test("the page on the network describes each network option", () => {
  const rows = rowsUnder("docs/network.md", "Option | Meaning");
  const described = Object.entries(NETWORK)
    .filter(([, option]) => "describedIn" in option)
    .map(([name, option]) => describeOption(name, option))
    .map(([label, meaning]) => [`\`${label}\``, meaning.replace(/LINTEL_\w+/, "`$&`")]);
  expect(rows).toEqual(described);
});

describe("lintel help NAME", () => {
  test("prints the help of a command", async () => {
    expect((await run("help", "plan")).stdout).toBe((await run("plan", "--help")).stdout);
  });

  test("prints the page of the manual where it has the name of a command", async () => {
    const { stdout } = await run("help", "state");
    expect(stdout).toMatch(/^The state\n/);
    expect(stdout).toMatch(/\nOptions: lintel state --help\n$/);
    expect((await run("state", "--help")).stdout).toMatch(/\nManual: lintel help state\n$/);
  });

  test("names the command for a link to a section of another page", async () => {
    const { stdout } = await run("help", "many-machines");
    expect(stdout).toContain("pools in lintel.yaml (lintel help serve)");
    expect(stdout).not.toContain(".md#");
  });

  test("lists the topics, each with the sentence that its page begins with", async () => {
    const { exit, stdout } = await run("help", "topics");
    expect(exit).toBe(0);
    const flat = stdout.replace(/\s+/g, " ");
    expect(flat).toContain("exit-status Every command ends with one of these numbers");
    for (const topic of Object.keys(TEXTS)) expect(stdout).toMatch(new RegExp(`^  ${topic} `, "m"));
  });

  test("refuses an unknown name", async () => {
    const { exit, stderr } = await run("help", "nosuch");
    expect(exit).toBe(64);
    expect(stderr).toContain('Unknown command or topic "nosuch".');
    expect(stderr).toContain("  lintel help topics");
  });
});
