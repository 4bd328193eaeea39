// Moves the files of changes/ into CHANGELOG.md, as a section for the version of package.json. As a script: changelog.ts.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Returns how many changes were moved. */
export function releaseChanges(project: string, day: string): number {
  const folder = join(project, "changes");
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .toSorted();
  if (names.length === 0) return 0;
  const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
    version: string;
  };
  const place = join(project, "CHANGELOG.md");
  const log = readFileSync(place, "utf8");
  if (log.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has ${version} already.`);
  const items = names.map((name) => {
    const text = readFileSync(join(folder, name), "utf8").trim();
    return `- ${text.replaceAll("\n", "\n  ")}\n`;
  });
  const start = log.indexOf("\n## ");
  const section = `\n## ${version} (${day})\n\n${items.join("")}`;
  writeFileSync(place, log.slice(0, start) + section + log.slice(start));
  for (const name of names) rmSync(join(folder, name));
  return names.length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const moved = releaseChanges(process.cwd(), new Date().toISOString().slice(0, 10));
  process.stdout.write(`Moved ${moved} changes into CHANGELOG.md.\n`);
}
