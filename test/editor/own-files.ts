// The settings of an editor, as the manual has them; and files in which every key stands once.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { SETTINGS, catalog, type Setting } from "../../src/catalog/catalog.js";
import { compareVersions } from "../../src/catalog/version.js";
import { EXIT } from "../../src/failure.js";
import { lintel } from "../run/call.js";
import { blocks } from "../support/manual.js";

/** For files in a folder of the repository; as the language server asks for them: without the "yaml." before each name. */
export async function editorSettings(root: string, folder = ""): Promise<Record<string, unknown>> {
  const [schemas = ""] = blocks("sh", ["docs/editors.md"]).map(([, text]) => text);
  mkdirSync(join(root, ".vscode"), { recursive: true });
  for (const line of schemas.split("\n").filter((each) => each !== "")) {
    const [call = "", file = ""] = line.split(" > ");
    const { exit, stdout } = await lintel(call.split(" ").slice(1), { cwd: root });
    if (exit !== EXIT.done) throw new Error(line);
    writeFileSync(join(root, file), stdout);
  }
  const text = blocks("json", ["docs/editors.md"])[0]?.[1] ?? "";
  const own = text.replaceAll(/"(portal(?:s\/|\.)|\*\*\/_)/g, `"${folder}$1`);
  const settings = Object.entries(JSON.parse(own) as Record<string, unknown>);
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
