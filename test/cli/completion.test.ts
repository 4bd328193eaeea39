// What a shell completes: in a real bash, with Debian's bash-completion, and a real zsh at a terminal, and in a real fish.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SETTING_PATHS } from "../../src/catalog/catalog.js";
import { ALL } from "../../src/cli/all.js";
import { lintel } from "../run/call.js";
import { BIN, environment, folderOf, type Environment } from "../support/run.js";
import { spec as PLAN } from "../../src/commands/plan.js";

const LOADER = "/usr/share/bash-completion/bash_completion";
const hasTerminal = existsSync("/usr/bin/script");
const canRun = {
  bash: hasTerminal && existsSync(LOADER),
  zsh: hasTerminal && existsSync("/usr/bin/zsh"),
  fish: existsSync("/usr/bin/fish"),
};
for (const [shell, isThere] of Object.entries(canRun)) {
  if (!isThere) console.warn(`${shell} is lacking on this machine: its completion is not tested.`);
}

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
  [`state ${ALL_OFFERED}`, ["state", "accept", "move", "rm", "show", "sign", "unlock"]],
  [`state sh${TAB}por${TAB}.y${TAB}`, ["state", "show", "portal.yaml"]],
  [`state rm portal.yaml blockB${TAB}`, ["state", "rm", "portal.yaml", "blockBetaApps"]],
  [`pull --path informationalBanner.e${TAB}`, ["pull", "--path", "informationalBanner.enabled"]],
  [`pull --path ${ALL_OFFERED}`, ["pull", "--path", ...SETTING_PATHS.toSorted()]],
  [`plan --output ${ALL_OFFERED}`, ["plan", "--output", ...PLAN.formats.toSorted()]],
  [`validate --output=js${TAB}x`, ["validate", "--output=json", "x"]],
  [
    `plan --output=${ALL_OFFERED}`,
    ["plan", "--output=gitlab-plan", "html", "json", "markdown", "text"],
  ],
  [`apply --due=${TAB}s${TAB}x`, ["apply", "--due=schedule", "x"]],
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

/** A home with the program and its script for the shell. */
function homeFor(shell: "bash" | "zsh" | "fish") {
  const home = join(folder.path, shell);
  const [program, completions] = [join(home, "bin"), join(home, "completions")];
  for (const path of [program, completions]) mkdirSync(path, { recursive: true });
  symlinkSync(BIN, join(program, "lintel"));
  const { stdout } = spawnSync(process.execPath, [BIN, "completion", shell], { encoding: "utf8" });
  const script = join(completions, { bash: "lintel", zsh: "_lintel", fish: "lintel.fish" }[shell]);
  writeFileSync(script, stdout);
  const env = { PATH: `${program}:${process.env["PATH"]}`, HOME: home, TERM: "dumb" };
  return { home, script, completions, env };
}

/** Types the lines into a shell at a terminal; it reads them one after the other, so nothing is waited for. */
function shownBy(command: string, typed: readonly string[], env: Environment): string {
  const { stdout } = spawnSync("script", ["--quiet", "--command", command, "/dev/null"], {
    cwd: folder.path,
    encoding: "utf8",
    input: [...typed, "exit\r"].join(""),
    timeout: 240_000,
    env: environment(env),
  });
  return stdout.replaceAll("\r", "");
}

/** The words of each line, which the shell has printed one a line. */
function wordsShown(shown: string): string[][] {
  return [...shown.matchAll(/\n<lintel\n((?:<.*\n)*)<>\n/g)].map(([, words = ""]) =>
    words
      .split("\n")
      .filter(Boolean)
      .map((word) => word.slice(1)),
  );
}

describe.skipIf(!canRun.bash)("bash at a terminal", () => {
  let lines: string[][] = [];
  beforeAll(() => {
    const { home, env } = homeFor("bash");
    writeFileSync(join(home, "inputrc"), "set enable-bracketed-paste off\nset bell-style none\n");
    writeFileSync(join(home, "bashrc"), `PS1=; source ${LOADER}\n`);
    // At the beginning of each line stands, once it is complete, what shows its words.
    const typed = TYPED.map(([line]) => `lintel ${line}\u0001printf '\\n<%s' \u0005 $'>\\n\\n'\r`);
    lines = wordsShown(
      shownBy(`bash --noprofile --rcfile ${home}/bashrc -i`, typed, {
        ...env,
        INPUTRC: join(home, "inputrc"),
        BASH_COMPLETION_USER_DIR: home,
      }),
    );
  });

  test.each(TYPED.map(([typed, words], at) => [JSON.stringify(typed), words, at] as const))(
    "completes %s",
    (_typed, words, at) => {
      expect(lines[at]).toEqual(words);
    },
  );
});

describe.skipIf(!canRun.zsh)("zsh at a terminal", () => {
  // What inserts everything that is offered is a command of readline.
  const rows = TYPED.filter(([typed]) => !typed.includes(ALL_OFFERED));
  const SHOW = "\u001f";
  let shown = "";
  beforeAll(() => {
    const { home, completions, env } = homeFor("zsh");
    const rc = `PS1=; unsetopt prompt_cr prompt_sp beep
fpath=(${completions} $fpath); autoload -Uz compinit; compinit -u -D
show() { print; print -rl -- "<"\${(Q)^\${(z)BUFFER}} "<>"; BUFFER= }
zle -N show; bindkey -e; bindkey '${SHOW}' show
`;
    writeFileSync(join(home, ".zshrc"), rc);
    const typed = [...rows.map(([line]) => line), `stat${TAB}`].map(
      (each) => `lintel ${each}${SHOW}`,
    );
    shown = shownBy("zsh -i", typed, { ...env, ZDOTDIR: home });
  });

  test.each(rows.map(([typed, words], at) => [JSON.stringify(typed), words, at] as const))(
    "completes %s",
    (_typed, words, at) => {
      expect(wordsShown(shown)[at]).toEqual(words);
    },
  );

  test("lists what each command is for", () => {
    expect(shown).toMatch(/^status +-- Show portal status/m);
  });
});

describe.skipIf(!canRun.fish)("fish", () => {
  /** An unfinished line → everything that fish offers. */
  const rows: readonly (readonly [line: string, offers: readonly string[]])[] = [
    ["va", ["validate\tCheck desired-state files offline."]],
    ["validate --js", ["--json\tSame as --output json."]],
    ["validate -o sa", ["sarif"]],
    ["validate --output=js", ["--output=json"]],
    ["state rm portal.yaml blockB", ["blockBetaApps"]],
    ["init --state file", ["file:.lintel"]],
    ["help exit", ["exit-status"]],
    ["validate My", ["My portals/"]],
    ["validate My\\ portals/a", ["My portals/a b.yaml"]],
    ["validate 'My portals/a", ["My portals/a b.yaml"]],
    ["plan --save portal.", ["portal.yaml"]],
  ];
  let offered: string[] = [];
  beforeAll(() => {
    const { script, env } = homeFor("fish");
    const asking = "for line in $argv; complete -C $line; echo; end";
    const lines = rows.map(([line]) => `lintel ${line}`);
    const { stdout } = spawnSync("fish", ["-c", `source ${script}; ${asking}`, ...lines], {
      cwd: folder.path,
      encoding: "utf8",
      env: environment(env),
    });
    offered = stdout.split("\n\n");
  });

  test.each(rows.map(([line, offers], at) => [JSON.stringify(line), offers, at] as const))(
    "completes %s",
    (_line, offers, at) => {
      expect(offered[at]?.trim().split("\n")).toEqual(offers);
    },
  );
});

describe("what is offered", () => {
  const offered = async (words: readonly string[], env: Record<string, string> = {}) => {
    const asked = ["--get-yargs-completions", "lintel", ...words];
    return (await lintel(asked, { env })).stdout.split("\n").filter(Boolean);
  };

  test("zsh and fish get a description of each word", async () => {
    expect(await offered(["va"], { COMP_CWORD: "1" })).toContain(
      "validate:Check desired-state files offline.",
    );
    expect(await offered(["validate", "-"], { LINTEL_COMPLETES: "fish" })).toContain(
      "--quiet\tPrint problems only.",
    );
  });

  test("PowerShell gets the same, with a placeholder for an empty word", async () => {
    const env = { LINTEL_COMPLETES: "powershell" };
    expect(await offered(["_"], env)).toContain("validate\tCheck desired-state files offline.");
    expect(await offered(["completion", "_"], env)).toContain("powershell");
    expect(await offered(["init", "--example", "_"], env)).toEqual(["fleet", "schedule", "policy"]);
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

  test.each(["bash", "zsh", "fish", "powershell"])("%s reads the script", async (shell) => {
    const { exit, stdout } = await lintel(["completion", shell]);
    expect(exit).toBe(0);
    expect(stdout).toContain("lintel --get-yargs-completions");
    expect(stdout).toMatch(
      {
        bash: /COMPREPLY/,
        zsh: /compdef/,
        fish: /commandline/,
        powershell: /Register-ArgumentCompleter/,
      }[shell] ?? /^$/,
    );
    expect(stdout).not.toMatch(/undefined|\[object/);
    const path = ["/bin", "/usr/bin"].map((bin) => `${bin}/${shell}`).find(existsSync);
    if (!path) return;
    const script = join(folder.path, `script.${shell}`);
    writeFileSync(script, stdout);
    expect(spawnSync(path, ["-n", script], { encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  });
});
