// What is bundled → a bill of materials, as CycloneDX writes it: the parts, their versions and licences, and what needs what.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import packageFacts from "../../package.json" with { type: "json" };
import type { Bundled, Bundles } from "../bundled.js";

/** The engine that evaluates old files is a program in C, which a package brings as WebAssembly. */
const ENGINE_IN = "@jitl/quickjs-wasmfile-release-sync";

/** What Node tells beside its own version that is no part of it. */
const NO_PART = ["node", "modules", "napi"];

export function billOfMaterials(project: string, { packages, imports }: Bundles, epochS: number) {
  const own = purlOf(packageFacts);
  const refOf = (name: string) => {
    const found = packages.find((each) => each.name === name);
    if (!found) throw new Error(`"${name}" is imported, and no part.`);
    return purlOf(found);
  };
  const engine = engineOf(project);
  const node = nodeComponent();
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: new Date(epochS * 1000).toISOString(),
      component: {
        type: "application",
        "bom-ref": own,
        name: packageFacts.name,
        version: packageFacts.version,
        description: packageFacts.description,
        licenses: licencesOf(packageFacts.license),
        purl: own,
      },
    },
    components: [...packages.map(componentOf), engine, node],
    dependencies: [
      { ref: own, dependsOn: [...imports.map(refOf), node["bom-ref"]] },
      ...packages.map((each) => ({
        ref: purlOf(each),
        dependsOn: [
          ...each.imports.map(refOf),
          ...(each.name === ENGINE_IN ? [engine["bom-ref"]] : []),
        ],
      })),
      { ref: engine["bom-ref"] },
      { ref: node["bom-ref"] },
    ],
  };
  // By what it says, so that the same parts have the same number.
  const digest = createHash("sha256").update(JSON.stringify(bill)).digest("hex");
  const [, ...parts] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest) ?? [];
  const [a, b, c, d, e] = parts;
  const serialNumber = `urn:uuid:${a}-${b}-8${c}-8${d}-${e}`;
  return { $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", serialNumber, ...bill };
}

function componentOf(part: Bundled) {
  const [group, name] = part.name.startsWith("@") ? part.name.split("/") : [undefined, part.name];
  return {
    type: "library",
    "bom-ref": purlOf(part),
    ...(group !== undefined && { group }),
    name,
    version: part.version,
    licenses: licencesOf(part.license),
    purl: purlOf(part),
  };
}

function engineOf(project: string) {
  const page = readFileSync(join(project, "node_modules", ENGINE_IN, "README.md"), "utf8");
  const [, version] =
    /^Version \[([^\]]+)\]\(https:\/\/github\.com\/bellard\/quickjs/m.exec(page) ?? [];
  if (version === undefined) throw new Error(`${ENGINE_IN} does not tell which QuickJS it has.`);
  const ref = `pkg:github/bellard/quickjs@${encodeURIComponent(version)}`;
  return {
    type: "library",
    "bom-ref": ref,
    name: "quickjs",
    version,
    description: `Compiled to WebAssembly by ${ENGINE_IN}.`,
    licenses: licencesOf("MIT"),
    purl: ref,
  };
}

function nodeComponent() {
  const version = process.versions.node;
  const parts = Object.entries(process.versions).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !NO_PART.includes(entry[0]),
  );
  return {
    type: "platform",
    "bom-ref": `pkg:generic/node@${version}`,
    name: "node",
    version,
    description: "In the executable and in what is made of it; the other packages run on any Node.",
    licenses: licencesOf("MIT"),
    purl: `pkg:generic/node@${version}`,
    components: parts.map(([name, own]) => ({
      type: "library",
      "bom-ref": `pkg:generic/node@${version}#${name}`,
      name,
      version: own,
    })),
  };
}

/** A single licence by its identifier, several as the expression that the package says. */
function licencesOf(license: string) {
  return [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }];
}

function purlOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
