// What a shell completes: in a real bash at a terminal, with Debian's bash-completion, and as zsh and fish ask for it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SETTING_PATHS } from "../../src/catalog/catalog.js";
import { ALL } from "../../src/cli/all.js";
import { BIN, environment, folderOf, lintel } from "../support/run.js";
import { words as PLAN } from "../../src/commands/plan.js";

const LOADER = "/usr/share/bash-completion/bash_completion";
const canDrive = existsSync(LOADER) && existsSync("/usr/bin/script");
if (!canDrive)
  console.warn("No bash-completion on this machine: completion in bash is not tested.");

const folder = folderOf({
  "My portals/a b.yaml": "",
  "portals/one.yaml": "",
  "portal.yaml": "",
});
afterAll(() => folder.remove());

const TAB = "\t";
/** Readline's command that inserts everything that is offered, so that it can be seen whole. */
const ALL_OFFERED = "\u001b*";

/** What is typed → the words of the line after that. */
const TYPED: readonly (readonly [typed: string, words: readonly string[]])[] = [
  [`va${TAB}`, ["validate"]],
  [
    `state ${ALL_OFFERED}`,
    [
      "state",
      "check",
      "history",
      "hold",
      "move",
      "release",
      "show",
      "sign",
      "unhold",
      "unlock",
      "verify",
    ],
  ],
  [`state sh${TAB}por${TAB}.y${TAB}`, ["state", "show", "portal.yaml"]],
  [`state release portal.yaml blockB${TAB}`, ["state", "release", "portal.yaml", "blockBetaApps"]],
  [`pull --path informationalBanner.e${TAB}`, ["pull", "--path", "informationalBanner.enabled"]],
  [`pull --path ${ALL_OFFERED}`, ["pull", "--path", ...SETTING_PATHS.toSorted()]],
  [`plan --output ${ALL_OFFERED}`, ["plan", "--output", ...PLAN.formats.toSorted()]],
  [`validate --output=js${TAB}x`, ["validate", "--output=json", "x"]],
  [
    `plan --output=${ALL_OFFERED}`,
    ["plan", "--output=gitlab-plan", "html", "json", "markdown", "text"],
  ],
  [`apply --send=${TAB}t${TAB}x`, ["apply", "--send=touched", "x"]],
  [`validate -o sa${TAB}`, ["validate", "-o", "sarif"]],
  [`validate --ou${TAB}`, ["validate", "--output"]],
  [`apply --allow tok${TAB}`, ["apply", "--allow", "token-lifetime"]],
  [
    `init --state ht${TAB}`,
    [
      "init",
      "--state",
      "https://gitlab.example.com/api/v4/projects/7/terraform/state/${portal.key}",
    ],
  ],
  [`help exit${TAB}`, ["help", "exit-status"]],
  [`explain tokenEx${TAB}`, ["explain", "tokenEx"]],
  [`schema 11.5${TAB}`, ["schema", "11.5"]],
  [`validate My${TAB}a${TAB}`, ["validate", "My portals/a b.yaml"]],
  [`validate 'My portals/a${TAB}`, ["validate", "My portals/a b.yaml"]],
  [`plan --save My${TAB}a${TAB}`, ["plan", "--save", "My portals/a b.yaml"]],
];

/** The words that each line has after it was typed; bash reads them one after the other, so nothing is waited for. */
function typeInto(lines: readonly string[]): string[][] {
  const home = join(folder.path, "home");
  const [program, completions] = [join(home, "bin"), join(home, "completions")];
  for (const path of [program, completions]) mkdirSync(path, { recursive: true });
  symlinkSync(BIN, join(program, "lintel"));
  const script = spawnSync(process.execPath, [BIN, "completion", "bash"], { encoding: "utf8" });
  writeFileSync(join(completions, "lintel"), script.stdout);
  writeFileSync(join(home, "inputrc"), "set enable-bracketed-paste off\nset bell-style none\n");
  writeFileSync(join(home, "bashrc"), `PS1=; source ${LOADER}\n`);
  // At the beginning of each line stands, once it is complete, what shows its words.
  const typed = lines.map((line) => `lintel ${line}\u0001printf '\\n<%s' \u0005 $'>\\n\\n'\r`);
  const { stdout } = spawnSync(
    "script",
    ["--quiet", "--command", `bash --noprofile --rcfile ${home}/bashrc -i`, "/dev/null"],
    {
      cwd: folder.path,
      encoding: "utf8",
      input: [...typed, "exit\r"].join(""),
      timeout: 50_000,
      env: environment({
        PATH: `${program}:${process.env["PATH"]}`,
        HOME: home,
        INPUTRC: join(home, "inputrc"),
        BASH_COMPLETION_USER_DIR: home,
        TERM: "dumb",
      }),
    },
  );
  const shown = stdout.replaceAll("\r", "");
  return [...shown.matchAll(/\n<lintel\n((?:<.*\n)*)<>\n/g)].map(([, words = ""]) =>
    words
      .split("\n")
      .filter(Boolean)
      .map((word) => word.slice(1)),
  );
}

describe.skipIf(!canDrive)("bash at a terminal", () => {
  let lines: string[][] = [];
  beforeAll(() => {
    lines = typeInto(TYPED.map(([typed]) => typed));
  });

  test.each(TYPED.map(([typed, words], at) => [JSON.stringify(typed), words, at] as const))(
    "completes %s",
    (_typed, words, at) => {
      expect(lines[at]).toEqual(words);
    },
  );
});

describe("what is offered", () => {
  const offered = async (words: readonly string[], env: Record<string, string> = {}) => {
    const asked = ["--get-yargs-completions", "lintel", ...words];
    return (await lintel(asked, { env })).stdout.split("\n").filter(Boolean);
  };

  test("zsh and fish are told what each word means", async () => {
    expect(await offered(["va"], { COMP_CWORD: "1" })).toContain(
      "validate:Check desired-state files; needs no network and no secret.",
    );
    expect(await offered(["validate", "-"], { LINTEL_COMPLETES: "fish" })).toContain(
      "--quiet\tPrint nothing where there is no problem.",
    );
  });

  test("to zsh a colon in a word is escaped, because one that is not ends the word", async () => {
    const words = ["init", "--state", "f"];
    expect(await offered(words, { COMP_CWORD: "3" })).toContain("file\\:.lintel");
    expect(await offered(words, { LINTEL_COMPLETES: "fish" })).toContain("file:.lintel");
  });

  test("an option of one word keeps what stands before its value", async () => {
    expect(await offered(["validate", "--output=js"])).toContain("--output=json");
    expect(await offered(["validate", "--output", "=", "js"])).toContain("json");
    expect(await offered(["validate", "--output", "="])).toContain("json");
  });

  test("a file's name is left to the shell", async () => {
    expect(await offered(["validate", ""])).toEqual([]);
    expect(await offered(["plan", "--save", ""])).toEqual([]);
    expect(await offered(["state", "show", ""])).toEqual([]);
    expect(await offered(["nothing", ""])).toEqual([]);
  });

  test("every command can be completed", async () => {
    expect(await offered([""])).toEqual([...ALL.map(({ name }) => name), "--help", "--version"]);
    for (const { name } of ALL) expect(await offered([name, "-"])).toContain("--help");
  });

  test.each(["bash", "zsh", "fish"])("%s reads the script", async (shell) => {
    const { exit, stdout } = await lintel(["completion", shell]);
    expect(exit).toBe(0);
    expect(stdout).toContain("lintel --get-yargs-completions");
    expect(stdout).toMatch(
      { bash: /COMPREPLY/, zsh: /compdef/, fish: /commandline/ }[shell] ?? /^$/,
    );
    expect(stdout).not.toMatch(/undefined|\[object/);
    const path = ["/bin", "/usr/bin"].map((bin) => `${bin}/${shell}`).find(existsSync);
    if (!path) return;
    expect(spawnSync(path, ["-n"], { input: stdout, encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  });
});
