// What `lintel init --editor vscode` writes beside files → the settings of an editor; and files in which every key stands once.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { SETTINGS, catalog, type Setting } from "../../src/catalog/catalog.js";
import { compareVersions } from "../../src/catalog/version.js";
import { EXIT } from "../../src/failure.js";
import { lintel } from "../run/call.js";

/** As the language server asks for them: without the "yaml." before each name. */
export async function editorSettings(
  folder: string,
  target: string,
): Promise<Record<string, unknown>> {
  const { exit, stderr } = await lintel(["init", target, "--editor", "vscode"], { cwd: folder });
  if (exit !== EXIT.done) throw new Error(stderr);
  const text = readFileSync(join(folder, ".vscode/settings.json"), "utf8");
  const settings = Object.entries(JSON.parse(text) as Record<string, unknown>);
  return {
    ...Object.fromEntries(settings.map(([name, held]) => [name.replace(/^yaml\./, ""), held])),
    schemaStore: { enable: false },
  };
}

export function introducedUpTo(version: string): Setting[] {
  return SETTINGS.filter(({ parameter, property }) =>
    [parameter, property].every(
      (each) => !each?.introduced || compareVersions(each.introduced, version) <= 0,
    ),
  );
}

export function everyKey(version: string): Readonly<Record<string, unknown>> {
  const settings: Record<string, Record<string, unknown> | boolean> = {};
  for (const { parameter, property } of introducedUpTo(version)) {
    const held = settings[parameter.name];
    if (!property) settings[parameter.name] = true;
    else {
      const others = typeof held === "object" ? held : {};
      settings[parameter.name] = { ...others, [property.name]: property.example };
    }
  }
  return {
    targetVersion: version,
    deployment: catalog.deployments[0]?.name,
    portal: {
      name: "staging",
      url: "https://gis.example.com/portal/sharing/rest",
      id: "self",
      read: "auto",
    },
    signIn: { url: "https://accounts.example.com", carry: "authorization" },
    state: "file:.lintel",
    allowUnknown: ["someNewProperty"],
    rules: { "low-contrast": "error" },
    drift: "stop",
    timeZone: "UTC",
    allow: [{ guard: "disable-notice", until: "2027-01-31", reason: "Maintenance is over" }],
    schedule: {
      maintenance: {
        from: "2026-12-05T18:00",
        until: "2026-12-05T22:00",
        settings: { informationalBanner: { enabled: true } },
      },
    },
    settings,
  };
}

export function textWith(schema: string, held: Readonly<Record<string, unknown>>): string {
  return `# yaml-language-server: $schema=./${schema}\n${stringify(held)}`;
}
