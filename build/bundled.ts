// What esbuild put into its outputs → the packages that are part of them, with their versions, licences and what each needs of the others.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

export interface Bundled {
  readonly name: string;
  readonly version: string;
  /** As SPDX writes it. */
  readonly license: string;
  readonly licenseText: string;
  /** By name, those of the others that it imports. */
  readonly imports: readonly string[];
}

export interface Bundles {
  readonly packages: readonly Bundled[];
  /** By name, those that our own files import. */
  readonly imports: readonly string[];
}

/** A file of which nothing is left does not count. `read` are files that went in as they are. */
export function bundlesOf(
  project: string,
  metafiles: readonly Metafile[],
  read: readonly string[],
): Bundles {
  const used = new Set(read.map(folderOf));
  const edges = read.map((path): [string, string] => [OURS, folderOf(path)]);
  for (const { inputs, outputs } of metafiles) {
    const all = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
    for (const [path] of all.filter(([, { bytesInOutput }]) => bytesInOutput > 0)) {
      used.add(folderOf(path));
      // By way of a file of which nothing is left, too.
      const targets = inputs[path]?.imports ?? [];
      edges.push(...targets.map((each): [string, string] => [folderOf(path), folderOf(each.path)]));
    }
  }
  const namesOf = (folder: string) => {
    const targets = edges.filter(([from, to]) => from === folder && to !== folder);
    const known = targets.map(([, to]) => to).filter((to) => to !== OURS && used.has(to));
    return [...new Set(known)].map(nameOf).toSorted();
  };
  const folders = [...used].filter((folder) => folder !== OURS).toSorted();
  return {
    imports: namesOf(OURS),
    packages: folders.map((folder) => {
      const own = join(project, folder);
      const json = readFileSync(join(own, "package.json"), "utf8");
      const { version, license } = JSON.parse(json) as Readonly<
        Record<"version" | "license", string>
      >;
      const file = readdirSync(own).find((each) => /^licen[cs]e/i.test(each));
      const licenseText = file ? readFileSync(join(own, file), "utf8").trim() : license;
      return { name: nameOf(folder), version, license, licenseText, imports: namesOf(folder) };
    }),
  };
}

const OURS = "";

/** A package may stand within the folder of another. */
function folderOf(path: string): string {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? OURS;
}

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** The licences ask that their text travels with what is bundled. */
export function licenceTexts({ packages }: Bundles): string {
  return packages
    .map(({ name, version, licenseText }) => `${name} ${version}\n\n${licenseText}\n`)
    .join(`\n${"-".repeat(72)}\n\n`);
}
