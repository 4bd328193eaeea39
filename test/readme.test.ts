// README, CONTRIBUTING and the manual are true: their tables, their examples and their links.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import packageFacts from "../package.json" with { type: "json" };
import { ALL } from "../src/cli/all.js";
import { check } from "../src/document/check/check.js";
import { readInput } from "../src/document/read/bytes.js";
import { EXIT } from "../src/failure.js";
import { EXIT_MEANINGS } from "../src/commands/explain/code.js";
import { GUARD_RULES } from "../src/plan/guards/all.js";
import { outcomeOfCheck } from "../src/outcome.js";
import { jsonReport } from "../src/report/json-report.js";
import { SIGN_IN_METHODS, type SignInField } from "../src/sign-in.js";
import { STATE_REASONS } from "../src/state-address/kinds.js";
import {
  blocks,
  codes,
  namesIn,
  PAGES,
  readPage,
  rowsUnder,
  START_PAGES,
  TOPIC_PAGES,
} from "./support/manual.js";
import { referencePages } from "../build/reference-pages.js";
import { CORE, MAY_IMPORT } from "./support/map.js";
import { PROJECT } from "./support/run.js";

const checked = (text: string) =>
  check("portal.yaml", readInput(Buffer.from(text)), { cwd: PROJECT, env: {} }).diagnostics;

describe("tables say what the program says", () => {
  test("exit statuses", () => {
    const rows = rowsUnder("docs/exit-status.md", "Status | Meaning");
    expect(rows.map(([status]) => Number(status))).toEqual(Object.values(EXIT));
  });

  test("options and codes, on pages that are made from them", async () => {
    for (const [path, text] of await referencePages()) {
      expect(readPage(path), `${path}: run npm run generate`).toBe(text);
    }
  });

  test("report formats, and the commands that have each", async () => {
    const commands = await Promise.all(
      ALL.map(async ({ name, load }) => {
        const { formats }: { readonly formats: readonly string[] } = (await load()).spec;
        return { name, formats };
      }),
    );
    const rows = rowsUnder("docs/output.md", "Format | For");
    const known = new Set(commands.flatMap(({ formats }) => formats));
    expect(rows.flatMap(([format = ""]) => namesIn(format)).toSorted()).toEqual(
      [...known].toSorted(),
    );
    for (const [format = "", , said = ""] of rows) {
      const [having, others] = [true, false].map((isWanted) =>
        commands
          .filter(
            ({ formats }) => namesIn(format).some((each) => formats.includes(each)) === isWanted,
          )
          .map(({ name }) => name),
      );
      const expected = said.startsWith("all") ? others : having;
      expect([format, namesIn(said).toSorted()]).toEqual([format, expected?.toSorted()]);
    }
  });

  test("pages of the manual, each once in one of four groups", () => {
    const [, ...groups] = readPage("docs/README.md").split(/^## /m);
    expect(groups.map((group) => group.split("\n")[0])).toEqual([
      "Start",
      "Guides",
      "Reference",
      "Project",
    ]);
    const lines = groups.join("").match(/^- .*$/gm) ?? [];
    const listed = lines.map((line) => {
      const [, name, page = "", about = ""] = /^- \[(.+)\]\((.+)\): (.+)$/.exec(line) ?? [];
      expect(about).toMatch(/^(\S+ ?){1,10}$/);
      // A topic has the name that "lintel help" takes.
      if (!page.includes("/")) expect(`${name}.md`).toBe(page);
      return `docs/${page}`;
    });
    const pages = [...START_PAGES, ...TOPIC_PAGES, "docs/decisions/README.md"];
    expect(listed.toSorted()).toEqual(pages.toSorted());
  });

  test("every topic begins with its title and one sentence", () => {
    for (const page of TOPIC_PAGES) {
      expect(readPage(page)).toMatch(/^# [^\n]+\n\n[^\n]+\.\n\n/);
    }
  });

  test("modules, and who may import whom", () => {
    const modules = rowsUnder("CONTRIBUTING.md", "Module | Purpose");
    const said = modules.map(([module = "", , may = ""]) => [
      module.startsWith("core types") ? "core" : module.replaceAll("`", ""),
      may.replace("core types", "core").split(", ").toSorted(),
    ]);
    const executed = Object.entries(MAY_IMPORT).map(([module, may]) => [
      module,
      (module === "core"
        ? ["core"]
        : may.filter((each) => !["docs", "package.json"].includes(each))
      ).toSorted(),
    ]);
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(executed));
    const [[coreTypes = ""] = []] = modules;
    expect([...coreTypes.matchAll(/`([\w-]+)`/g)].map(([, name]) => name)).toEqual(CORE);
  });

  test("sign-in methods, with every field and variable, and when to choose each", () => {
    const page = "docs/desired-state.md";
    const rows = rowsUnder(page, "Method | Fields");
    const [words = ""] = /\nChoose `loginadmin`.*\n/.exec(readPage(page)) ?? [];
    for (const [method, fields] of Object.entries(SIGN_IN_METHODS)) {
      expect(words).toContain(`\`${method}\``);
      const [, text = ""] = rows.find(([name]) => name?.includes(`\`${method}\``)) ?? [];
      for (const [name, field] of Object.entries<SignInField>(fields)) {
        expect(text).toContain(`\`${name}\``);
        if (field.variable) expect(text).toContain(field.variable);
      }
    }
  });

  test("places of states, and for whom each is", () => {
    const rows = rowsUnder("docs/state.md", "`state:` | For whom");
    const told = rows.map(([example = "", reason]) => [...namesIn(example), reason]);
    expect(told).toEqual(STATE_REASONS);
  });

  test("exit statuses", () => {
    expect(rowsUnder("docs/exit-status.md", "Status | Meaning")).toEqual(
      Object.entries(EXIT_MEANINGS),
    );
  });

  test("guards", () => {
    expect(rowsUnder("docs/guards.md", "Guard | It stops")).toEqual(
      Object.entries(GUARD_RULES).map(([name, { stops }]) => [`\`${name}\``, stops]),
    );
  });
});

describe("examples", () => {
  const around = {
    targetVersion: '"11.5"',
    portal: "{ url: https://gis.example.com/portal/sharing/rest }",
    signIn: "{ url: https://accounts.example.com }",
  };

  // Policies, the steps of a workflow, lintel.yaml and the start pages have tests of their own.
  const others = [
    "docs/policy.md",
    "docs/pipelines.md",
    "docs/serve.md",
    "docs/dashboard.md",
    ...START_PAGES,
  ];
  const desired = blocks("yaml").filter(([page]) => !others.includes(page));
  test.each(desired)("a file in %s has no problems", (_page, text) => {
    const missing = Object.entries(around).filter(([key]) => !text.includes(`${key}:`));
    const rest = missing.map(([key, value]) => `${key}: ${value}\n`).join("");
    expect(checked(text + rest)).toEqual([]);
  });

  test.each(blocks("mermaid"))(
    "each line of a diagram in %s is a label or a step",
    (_page, text) => {
      const node = String.raw`\w+(?:\["[^"]+"\])?`;
      const lines: Readonly<Record<string, RegExp>> = {
        "flowchart LR": new RegExp(String.raw`^ {2}${node} -->(?:\|[^|]+\|)? ${node}$`),
        sequenceDiagram: /^ {2}(?:participant \w+ as .+|Note over \w+: .+|\w+--?>>\w+: .+)$/,
      };
      const [kind = "", ...steps] = text.trimEnd().split("\n");
      expect(Object.keys(lines)).toContain(kind);
      expect(steps.filter((line) => !lines[kind]?.test(line))).toEqual([]);
    },
  );

  test.each(blocks("json"))("JSON in %s can be read", (_page, text) => {
    expect(JSON.parse(text)).toBeTypeOf("object");
  });

  test("the problem that the page on output shows is the one that is reported", () => {
    const lines = ['targetVersion: "11.5"', "settings:", "  informationalBaner: { enabled: true }"];
    const report = jsonReport(outcomeOfCheck("validate", [], checked(lines.join("\n"))));
    const shown = blocks("json", ["docs/output.md"])[0]?.[1] ?? "";
    expect(JSON.parse(report).diagnostics).toContainEqual({
      ...JSON.parse(shown),
      file: "-",
    });
  });
});

describe.each(PAGES)("%s", (page) => {
  const text = readPage(page);

  test("every link leads somewhere", () => {
    const links = [...text.matchAll(/\]\((?!http)([^)]+)\)/g)].map(([, link = ""]) => link);
    const isBroken = (link: string) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(PROJECT, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    };
    expect(links.filter(isBroken)).toEqual([]);
  });

  test("every file that is named is there", () => {
    // What has capital letters stands for any name.
    const named = codes(page).filter((code) =>
      /^(build|docs|src|test|schemas)\/[a-z\d./-]+$/.test(code),
    );
    expect(named.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });

  test("every script that is named is one of the project", () => {
    const named = [...text.matchAll(/npm (?:run ([\w:]+)|(test))/g)];
    const scripts = named.map(([, script, test = ""]) => script ?? test);
    expect(scripts.filter((script) => !(script in packageFacts.scripts))).toEqual([]);
  });
});

test("the way of a file names modules and files of src", () => {
  const text = blocks("", ["CONTRIBUTING.md"]).map(([, block]) => block);
  const steps = [...text.join("\n").matchAll(/→ ([a-z]+(?:\/[a-z-]+)+)/g)].map(
    ([, step = ""]) => step,
  );
  expect(steps.length).toBeGreaterThan(10);
  const isThere = (path: string) =>
    ["", ".ts"].some((end) => existsSync(join(PROJECT, path + end)));
  expect(steps.filter((step) => !isThere(`src/${step}`))).toEqual([]);
});

test("README and start pages are short", () => {
  const words = (pages: readonly string[]) =>
    pages.flatMap((page) => readPage(page).split(/\s+/)).length;
  expect(words(["README.md"])).toBeLessThanOrEqual(900);
  expect(words(START_PAGES)).toBeLessThanOrEqual(3_400);
});

/** Of the headings, as forges make them. */
function anchorsOf(page: string): string[] {
  return [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
