// The built command → how its calls compare with a bare `node -e 0`: a table on standard output, and test-output/bench.json.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import {
  ADVANCED,
  SETTINGS,
  catalog,
  isDeprecated,
  isIntroduced,
} from "../../src/catalog/catalog.js";
import { BIN, PROJECT } from "../support/run.js";

const TARGET = "11.5";
const NODE = "node -e 0";

interface Call {
  readonly name: string;
  readonly words: readonly string[];
  /** The most that it may take, in times of a bare node. */
  readonly target?: number;
}

interface Figure {
  readonly name: string;
  readonly rounds: number;
  readonly medianMs: number;
  readonly ratio: number;
  readonly target: number | null;
  readonly isMet: boolean | null;
  readonly peakMiB: number;
}

// With it Node 20 reads a file of authorities at every start, which takes longer than the start itself.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), "lintel-bench-"));
  try {
    writeFileSync(join(folder, "portal.yaml"), portalFile("portal"));
    mkdirSync(join(folder, "portals"));
    for (let at = 0; at < 1000; at++) {
      writeFileSync(join(folder, "portals", `portal-${at}.yaml`), portalFile(`portal-${at}`));
    }
    writeFileSync(join(folder, "config.js"), oldFile(40_000));
    writeFileSync(join(folder, "large.js"), oldFile(5_000_000));
    const bare: Call = { name: NODE, words: ["-e", "0"] };
    const quick: Call[] = [
      { name: "--version", words: [BIN, "--version"], target: 1.3 },
      { name: "--help", words: [BIN, "--help"], target: 1.3 },
      { name: "validate, one file", words: [BIN, "validate", "portal.yaml"], target: 2.2 },
      { name: "explain tokenExpiration", words: [BIN, "explain", "tokenExpiration"], target: 2 },
      { name: `schema ${TARGET}`, words: [BIN, "schema", TARGET], target: 2 },
      { name: "migrate, 40 kB", words: [BIN, "migrate", "config.js", "--target", TARGET] },
    ];
    const bulk: Call = { name: "validate, 1,000 files", words: [BIN, "validate", "portals"] };
    const large: Call = {
      name: "migrate, 5 MB",
      words: [BIN, "migrate", "large.js", "--target", TARGET],
    };
    const figures = [
      ...measure([bare, ...quick], 31, folder),
      ...measure([bare, bulk, large], 5, folder).slice(1),
    ];
    print(figures, portalFile("portal").split("\n").length - 1);
    mkdirSync(join(PROJECT, "test-output"), { recursive: true });
    const facts = { node: process.version, cores: cpus().length, figures };
    const json = `${JSON.stringify(facts, null, 2)}\n`;
    writeFileSync(join(PROJECT, "test-output/bench.json"), json);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first call is what the others are compared with; all take turns, so that a busy moment slows each alike. */
function measure(calls: readonly Call[], rounds: number, folder: string): Figure[] {
  const times = calls.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, call] of calls.entries()) times[at]?.push(timeOf(call, folder));
  }
  const medians = times.map(medianOf);
  return calls.map((call, at): Figure => {
    const medianMs = medians[at] ?? 0;
    const ratio = medianMs / (medians[0] ?? 1);
    const { name, target } = call;
    const isMet = target === undefined ? null : ratio <= target;
    const peakMiB = peakOf(call, folder);
    return { name, rounds, medianMs, ratio, target: target ?? null, isMet, peakMiB };
  });
}

function timeOf(call: Call, folder: string): number {
  const start = process.hrtime.bigint();
  run(call.words, folder);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** In a run of its own, which is not timed, because what looks at the memory takes time as well. */
function peakOf({ words }: Call, folder: string): number {
  const look = join(folder, "look.cjs");
  writeFileSync(
    look,
    'process.on("exit", () =>' +
      ' require("node:fs").writeSync(3, String(process.resourceUsage().maxRSS)));\n',
  );
  return Number(run(["-r", look, ...words], folder)) / 1024;
}

/** What the child wrote to its fourth stream. */
function run(words: readonly string[], cwd: string): string {
  const { status, output } = spawnSync(process.execPath, words, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}:\n${output.join("")}`);
  return output[3] ?? "";
}

function medianOf(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** A settings file of some 60 lines: what the reference shows as examples, under comments as people write them. */
function portalFile(name: string): string {
  const settings = catalog.parameters.flatMap((parameter) => {
    const held = SETTINGS.filter(
      (each) =>
        each.parameter.name === parameter.name &&
        [each.parameter, each.property ?? {}].every(
          (one) => isIntroduced(one, TARGET) && !isDeprecated(one, TARGET),
        ) &&
        !each.property?.setBy,
    );
    const lines = held.map(({ property }) =>
      property
        ? `    ${property.name}: ${JSON.stringify(property.example)}`
        : `  ${parameter.name}: false`,
    );
    return [
      "",
      `  # ${parameter.meaning}`,
      ...(parameter.object ? [`  ${parameter.name}:`] : []),
      ...lines,
    ];
  });
  return [
    `# yaml-language-server: $schema=./desired-state-${TARGET}.schema.json`,
    `targetVersion: "${TARGET}"`,
    "",
    "portal:",
    `  name: ${name}`,
    `  url: https://${name}.example.com/portal/sharing/rest`,
    "",
    "signIn:",
    "  url: https://accounts.example.com",
    "  # The keys come from the pipeline's variables.",
    "  beid: ${env:LINTEL_BEID}",
    "  webServicesKey: ${env:LINTEL_WEB_SERVICES_KEY}",
    "",
    "settings:",
    ...settings,
    "",
    "# Access to the curated content was switched off first.",
    "rules: { curated-content: off }",
    "",
  ].join("\n");
}

/** An old configuration file of some size: every setting once, and queries of the kind that fill such files. */
function oldFile(size: number): string {
  const own = SETTINGS.filter(
    ({ parameter, property }) => parameter.object && property && !property.setBy,
  )
    .filter(({ parameter }) => parameter.name === ADVANCED)
    .map(
      ({ property }) => `    ${property?.name}: ${JSON.stringify(property?.example)}, // as shown`,
    );
  const query = (at: number) =>
    `      "files-${at}": { focus: "files", t: "content", f: "(type:\\"Kind ${at}\\" OR type:\\"Other\\")" },`;
  const count = Math.ceil(size / query(10_000).length);
  return [
    "(function () {",
    '  var root = location.protocol + "//" + location.host + "/portal/";',
    "  window.esriGeowConfig = {",
    "    baseUrl: root,",
    ...own,
    "    filterQueries: {",
    ...Array.from({ length: count }, (_, at) => query(at)),
    "    }",
    "  };",
    "}());",
    "",
  ].join("\n");
}

function print(figures: readonly Figure[], lines: number): void {
  const rows = [
    ["call", "median ms", "ratio", "target", "verdict", "peak MiB"],
    ...figures.map(({ name, medianMs, ratio, target, isMet, peakMiB }) => [
      name,
      medianMs.toFixed(1),
      ratio.toFixed(2),
      target === null ? "" : `≤ ${target}`,
      isMet === null ? "" : isMet ? "met" : "missed",
      peakMiB.toFixed(0),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_head, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  console.log(
    `Node ${process.version}, ${cpus().length} cores; NODE_EXTRA_CA_CERTS is unset. Settings files of ${lines} lines.\n` +
      "Only ratios carry over to another machine: each is to a bare node in the same run.\n",
  );
  for (const row of rows) {
    const cells = row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    );
    console.log(cells.join("  ").trimEnd());
  }
}

main();
