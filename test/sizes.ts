// Prints how many lines each module of src/ has, beside the guides for them. As a script: sizes.ts.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "./support/run.js";

/** A guide, and the folders of src/ that it is for. What no row names is in the last one. */
const GUIDES: readonly (readonly [module: string, guide: number, folders: readonly string[]])[] = [
  ["cli with commands", 3_800, ["cli", "commands"]],
  ["document", 2_700, ["document"]],
  ["catalog", 800, ["catalog"]],
  ["policy", 600, ["policy"]],
  ["plan", 1_500, ["plan"]],
  ["apply", 2_000, ["apply"]],
  ["http", 500, ["http"]],
  ["portal", 900, ["portal", "session"]],
  ["state", 3_000, ["state", "state-address"]],
  ["report", 2_500, ["report"]],
  ["migrate", 1_900, ["migrate"]],
  ["pipelines", 1_200, ["pipelines"]],
  ["preview", 1_600, ["preview"]],
  ["sandbox", 1_200, ["sandbox"]],
  ["serve with dashboard and queue", 4_000, ["serve"]],
  ["lib, bin, index and the rest", 1_700, []],
];

/** Of TypeScript, comments and client scripts included. */
export function sizes(): { module: string; guide: number; lines: number }[] {
  const rows = GUIDES.map(([module, guide]) => ({ module, guide, lines: 0 }));
  const src = join(PROJECT, "src");
  for (const file of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const [folder = ""] = file.split("/");
    const at = GUIDES.findIndex(([, , folders]) => folders.includes(folder));
    const row = rows.at(at);
    if (row) row.lines += readFileSync(join(src, file), "utf8").split("\n").length - 1;
  }
  return rows;
}

export function totalLines(): number {
  return sizes().reduce((sum, { lines }) => sum + lines, 0);
}

if (import.meta.filename === process.argv[1]) {
  console.table(sizes());
  console.log(`All: ${totalLines()} lines, 30,000 as a guide.`);
}
