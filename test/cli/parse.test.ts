// How words are parsed: the arguments of a command, or what is wrong; and in both cases where the reports go.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { parseWords, readArguments, readDestinations } from "../../src/cli/parse.js";
import type { CommandSpec } from "../../src/commands/command.js";
import packageFacts from "../../package.json" with { type: "json" };
import { makeRun } from "../support/network.js";
import { fc } from "../support/property.js";
import { folderOf } from "../support/run.js";

const COMMAND = {
  operands: "[FILE…]",
  options: {
    save: { value: "FILE", alias: "s", description: "" },
    allow: { value: "GUARD", isList: true, values: ["one", "two", "three"], description: "" },
    path: { value: "PATH", isList: true, description: "" },
    send: { value: "WHAT", values: ["known", "touched"], default: "known", description: "" },
    timeout: { value: "SECONDS", number: { least: 0.1, most: 3600 }, default: 60, description: "" },
    seed: { value: "N", number: { least: 0, most: 9, isWhole: true }, description: "" },
    yes: { alias: ["y", "auto-approve"], description: "" },
  },
  formats: ["text", "json", "sarif"],
  examples: [],
} as const satisfies CommandSpec;

const read = (...words: string[]) => readArguments(parseWords("plan", COMMAND, words));
const wrong =
  (...words: string[]) =>
  () =>
    read(...words);

/** The whole command, without a process. */
async function run(words: readonly string[]) {
  const shown = { stdout: "", stderr: "" };
  const to = (name: keyof typeof shown) => ({
    write: (text: string) => void (shown[name] += text),
    isTerminal: false,
  });
  const exit = await main(words, { ...makeRun().io, stdout: to("stdout"), stderr: to("stderr") });
  return { exit, ...shown };
}

test("a switch does not take the next word", () => {
  for (const word of ["true", "false", "1"]) {
    expect(read("--yes", word)).toMatchObject({ operands: [word], options: { yes: true } });
  }
  expect(read("--save", "true", "-y", "--path", "false").options).toMatchObject({
    save: "true",
    path: ["false"],
    yes: true,
  });
});

test.each(["--_=x", "--$0=x", "--$0", "-_", "-y_", "-_-yes", "--get-yargs-completions"])(
  "refuses %s, which yargs would take for itself",
  (word) => {
    expect(wrong(word, "a.yaml")).toThrow("Unknown option");
    expect(read("--", word).operands).toEqual([word]);
    // To yargs the "--" alone is the value of that short option.
    const parsed = parseWords("plan", COMMAND, ["-x", "--", word, "a.yaml"]);
    expect(parsed.operands).toEqual([word, "a.yaml"]);
    expect(() => readArguments(parsed)).toThrow('Unknown option "-x"');
  },
);

test("reads a value that begins with a minus and a digit", () => {
  expect(read("--save", "-1_000").options["save"]).toBe("-1_000");
});

test("refuses any other words as wrong usage", () => {
  const pieces =
    "- -- = y s o _ . 1 $0 __proto__ constructor no- yes save path allow one output json true ü";
  const word = fc
    .array(fc.constantFrom(" ", "\n", ...pieces.split(" ")), { maxLength: 4 })
    .map((each) => each.join(""));
  const words = fc.array(fc.oneof(word, fc.string()), { maxLength: 6 });
  fc.assert(
    fc.property(words, fc.array(fc.string({ minLength: 1 })), (before, after) => {
      try {
        const { operands } = read(...before, "--", ...after);
        expect(operands.slice(operands.length - after.length)).toEqual(after);
      } catch (error) {
        expect(error).toMatchObject({ code: "wrong-usage" });
      }
    }),
    { numRuns: 500 },
  );
});

describe("words of other tools", () => {
  const reports = (...words: string[]) => read(...words).destinations;

  test("--json is the same as --output json", () => {
    expect(reports("--json")).toEqual([{ format: "json" }]);
    expect(reports("--json", "-o", "json")).toEqual([{ format: "json" }]);
    expect(reports("--json", "-o", "sarif=a.sarif")).toEqual(
      reports("-o", "sarif=a.sarif", "-o", "json"),
    );
    expect(wrong("--json", "-o", "sarif")).toThrow("sarif and json");
    expect(wrong("--json=a.json")).toThrow('"--json" takes no value');
  });

  test("--json is no option of a command that has no such report", () => {
    const parsed = parseWords("schema", { ...COMMAND, formats: ["text"] }, ["--json"]);
    expect(() => readArguments(parsed)).toThrow('Unknown option "--json"');
  });

  test("--auto-approve is the same as --yes", () => {
    const { options, given } = read("--auto-approve");
    expect({ yes: options["yes"], given: [...given] }).toEqual({ yes: true, given: ["yes"] });
    expect(wrong("--auto-approve=false")).toThrow('"--yes" takes no value');
  });

  test.each([
    [["apply", "--dry-run"], 'Unknown option "--dry-run"', "  lintel plan"],
    [["plan", "--version"], 'Unknown option "--version"', "  lintel --version"],
    [["apply", "-auto-approve"], 'Unknown option "-auto-approve"', "  --auto-approve"],
    [["plan", "-out=plan"], 'Unknown option "-out"', "  lintel plan --save plan.json"],
    [["plan", "-json"], 'Unknown option "-json"', "  --json"],
    [["login"], 'Unknown command "login"', "  lintel doctor"],
    [["destroy"], 'Unknown command "destroy"', "  lintel rollback"],
    [["force-unlock"], 'Unknown command "force-unlock"', "  lintel state unlock"],
    [["apply", "-destroy"], 'Unknown option "-destroy"', "  lintel rollback"],
    [["apply", "-lock=false"], 'Unknown option "-lock"', "  lintel apply --wait SECONDS"],
    [["plan", "-refresh-only"], 'Unknown option "-refresh-only"', "  lintel drift"],
    [["plan", "-target=a.b"], 'Unknown option "-target"', "  --path PATH"],
    [["state", "list"], 'Unknown action "list"', "  lintel state show"],
    [["state", "release"], 'Unknown action "release"', "  lintel state rm FILE PATH"],
    [["state", "history"], 'Unknown action "history"', "  lintel history"],
    [["state", "hold"], 'Unknown action "hold"', "  lintel hold"],
    [["state", "mv"], 'Unknown action "mv"', "  lintel state move FILE ADDRESS"],
    [["constructor"], 'Unknown command "constructor"', "  lintel --help"],
  ])("%j is answered with what to use", async (words, message, help) => {
    const { exit, stderr } = await run(words);
    expect(exit).toBe(64);
    expect(stderr).toContain(message);
    expect(stderr).toContain(help);
  });

  test("version prints the version", async () => {
    const { exit, stdout } = await run(["version"]);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: `${packageFacts.version}\n` });
  });
});

describe("a call", () => {
  test("has a value for every option, and says which were given", () => {
    const { options, given, operands, destinations } = read("--yes");
    expect(options).toEqual({
      save: undefined,
      allow: [],
      path: [],
      send: "known",
      timeout: 60,
      seed: undefined,
      yes: true,
      output: [],
      json: false,
      help: false,
      "no-color": false,
    });
    expect([...given]).toEqual(["yes"]);
    expect({ operands, destinations }).toEqual({
      operands: [],
      destinations: [{ format: "text" }],
    });
  });

  test.each([
    [
      ["a.yaml", "b.yaml"],
      ["a.yaml", "b.yaml"],
    ],
    [
      ["-", "--yes", "a"],
      ["-", "a"],
    ],
    [
      ["a", "--", "--yes", "-x", "--"],
      ["a", "--yes", "-x", "--"],
    ],
    [
      ["0x10", "1e3", "007", "help"],
      ["0x10", "1e3", "007", "help"],
    ],
    [["--path", "x", "y"], ["y"]],
  ])("of %j has the operands %j", (words, operands) => {
    expect(read(...words).operands).toEqual(operands);
  });

  test("keeps a value as it is written", () => {
    for (const value of ["-", "0x10", "1e3", "007", "a b", "'x'", '"x"', "true", "a=b", "-5"]) {
      expect(read("--save", value).options["save"]).toBe(value);
      expect(read("-s", value).options["save"]).toBe(value);
    }
    expect(read("--save=-x").options["save"]).toBe("-x");
  });

  test("takes a list in several options, and names of a closed list between commas", () => {
    expect(read("--allow", "one", "--allow", "two").options["allow"]).toEqual(["one", "two"]);
    expect(read("--allow", "one,three").options["allow"]).toEqual(["one", "three"]);
    expect(read("--path", "a,b", "--path", "c").options["path"]).toEqual(["a,b", "c"]);
  });

  test("has numbers within their bounds", () => {
    expect(read("--timeout", "0.5", "--seed", "9").options).toMatchObject({
      timeout: 0.5,
      seed: 9,
    });
  });
});

test.each<[words: string[], message: RegExp]>([
  [["--save"], /"--save" requires a value/],
  [["-s"], /"--save" requires a value/],
  [["--save="], /"--save" requires a value/],
  [["--save", "--yes"], /"--save" requires a value/],
  [["--save", "--", "x"], /"--save" requires a value/],
  [["--path="], /"--path" requires a value/],
  [["--output"], /"--output" requires a value/],
  [["--save", "a", "--save", "b"], /"--save" is given twice/],
  [["--yes=no"], /"--yes" takes no value/],
  [["-y=1"], /"--yes" takes no value/],
  [["--yes=true"], /"--yes" takes no value/],
  [["--yes="], /"--yes" takes no value/],
  [["-y1"], /"--yes" takes no value/],
  [["-y-"], /"--yes" takes no value/],
  [["-y/x"], /"--yes" takes no value/],
  [["--no-yes"], /Unknown option "--no-yes"/],
  [["--constructor", "x"], /Unknown option "--constructor"/],
  [["--save", "a", "--x save"], /Unknown option "--x save"/],
  [["--__proto__", "x"], /Unknown option "--/],
  [["--toString"], /Unknown option "--toString"/],
  [["--Save", "x"], /Unknown option "--Save"/],
  [["--save.x", "y"], /Unknown option "--save.x"/],
  [["-x"], /Unknown option "-x"/],
  [["--allow", "one,four"], /Invalid value "four" for "--allow"/],
  [["--send", "all"], /Invalid value "all" for "--send"/],
  [["--timeout", "0"], /Invalid value "0" for "--timeout"/],
  [["--timeout", "1e3"], /Invalid value "1e3" for "--timeout"/],
  [["--timeout", "-5"], /Invalid value "-5" for "--timeout"/],
  [["--seed", "1.5"], /Invalid value "1.5" for "--seed"/],
  [["--seed", "0x1"], /Invalid value "0x1" for "--seed"/],
  [[""], /argument is empty/],
  [["-o", "jsn"], /Unknown report "jsn"/],
  [["-o", "json="], /"json=" names no file/],
  [["-o", "json", "-o", "sarif"], /json and sarif/],
])("%j is told to be wrong", (words, message) => {
  expect(wrong(...words)).toThrow(message);
});

test("what yargs says of itself depends on no language of the machine", () => {
  for (const LC_ALL of ["de_DE.UTF-8", "ja_JP.UTF-8"]) {
    const before = process.env["LC_ALL"];
    process.env["LC_ALL"] = LC_ALL;
    expect(wrong("--save")).toThrow('Option "--save" requires a value.');
    if (before === undefined) delete process.env["LC_ALL"];
    else process.env["LC_ALL"] = before;
  }
});

test("words that are wrong still say where the reports go", () => {
  const goes = (...words: string[]) =>
    readDestinations(parseWords("plan", COMMAND, words)).destinations;
  expect(goes("--bogus", "-o", "json")).toEqual([{ format: "json" }]);
  expect(goes("-o", "json=x.json", "--save")).toContainEqual({ format: "json", file: "x.json" });
  expect(goes("-o", "json", "-o")).toEqual([{ format: "json" }]);
  expect(goes("-o", "sarif", "-o", "json")).toEqual([{ format: "json" }]);
  expect(goes("-o", "json", "-o", "json")).toEqual([{ format: "json" }]);
  expect(goes("--constructor", "x", "-o", "json")).toEqual([{ format: "json" }]);
});

test.each([
  [["nothing", "-o", "json"], "nothing", /^Unknown command "nothing"/],
  [["--target", "11.5", "-o", "json"], "--target", /^Unknown command "--target"/],
  [["--verison", "-o", "json"], "--verison", /^Unknown option "--verison"/],
  [
    ["--target", "11.5", "plan", "-o", "json"],
    "--target",
    /^Option "--target" must follow the command[^]*\n {2}lintel plan --target …$/,
  ],
  [["-o", "json", "plan"], "-o", /\n {2}lintel plan -o …$/],
])("%j names no command, and its report says so", async (words, command, told) => {
  const shown: string[] = [];
  const stdout = { write: (text: string) => void shown.push(text), isTerminal: false };
  expect(await main(words, { ...makeRun().io, stdout })).toBe(64);
  const { failure, ...document } = JSON.parse(shown.join("")) as Record<string, never>;
  expect(document).toMatchObject({ command, exitCode: 64 });
  const { message, help } = failure as unknown as Record<string, string>;
  expect(`${message}\n${help}`).toMatch(told);
});

test("a report about wrong words takes the place of no file that the call names", async () => {
  const folder = folderOf({ "portal.yaml": "settings: {}\n" });
  onTestFinished(() => folder.remove());
  const shown: string[] = [];
  const output = { write: (text: string) => void shown.push(text), isTerminal: false };
  const io = { ...makeRun().io, cwd: folder.path, stdout: output, stderr: output };
  const words = ["validate", "--bogus", "portal.yaml", "-o", "json=./portal.yaml", "-o", "sarif=a"];
  expect(await main(words, io)).toBe(64);
  expect(readFileSync(join(folder.path, "portal.yaml"), "utf8")).toBe("settings: {}\n");
  expect(shown.join("")).toContain("would take the place of");
});
