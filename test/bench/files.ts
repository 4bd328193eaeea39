// Writes the desired-state files that are measured.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ADVANCED,
  SETTINGS,
  catalog,
  isDeprecated,
  isIntroduced,
} from "../../src/catalog/catalog.js";
import type { Served } from "./served.js";

export const TARGET = "11.5";

/** Files portal-1.yaml and so on in a folder of their own. */
export function writeFiles(folder: string, count: number, text: (name: string) => string): void {
  mkdirSync(folder, { recursive: true });
  for (let at = 1; at <= count; at++) {
    writeFileSync(join(folder, `portal-${at}.yaml`), text(`portal-${at}`));
  }
}

/** A file for a portal of the sandbox: each text is another change. */
export function servedFile(
  { portalUrl, signInUrl }: Served,
  id: string,
  text: string,
  state = "file:.lintel",
): string {
  return [
    'targetVersion: "12.1"',
    `portal: { url: "${portalUrl}", id: ${id} }`,
    `signIn: { url: "${signInUrl}" }`,
    `state: ${JSON.stringify(state)}`,
    "settings:",
    `  informationalBanner: { text: "${text}", bgColor: "#b30000", fontColor: white, enabled: true }`,
    "  blockBetaApps: true",
    "  anonymousAccessNotice: { title: Terms, text: For guests, buttons: acceptAndDecline, enabled: true }\n",
  ].join("\n");
}

/** A settings file of some 60 lines: what the reference shows as examples, under comments as people write them. */
export function portalFile(name: string): string {
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
/** The conditions ask for as many worlds as a file is run in at most. */
export function oldFileOfWorlds(size: number): string {
  const asks = (at: number) =>
    `if (location.search === "?a${at}=1" || document.cookie.indexOf("c${at}=") >= 0) esriGeowConfig.x${at} = ${at};\n`;
  return oldFile(size) + Array.from({ length: 12 }, (_, at) => asks(at)).join("");
}

export function oldFile(size: number): string {
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
