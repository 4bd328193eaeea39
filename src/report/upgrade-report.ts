// Prints what a newer target changes for a file.
import type { Catalog } from "../catalog/facts.js";
import type { Place } from "../diagnostic.js";
import { formatSpot } from "../settings.js";
import { wrap } from "./text-layout.js";
import { type Styles } from "./styles.js";
import { oneLine, shellWord } from "../lib/text.js";

export interface Used {
  readonly name: string;
  readonly since: string;
  readonly meaning: string;
  readonly place: Place;
}

export interface Upgrade {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Where the target stands. */
  readonly target: Place;
  readonly isOwn: boolean;
  readonly deprecated: readonly Used[];
  /** Deprecated, where it is so at the new target already. */
  readonly available: readonly (Omit<Used, "place"> &
    Readonly<Record<"setBy" | "deprecated", string | undefined>>)[];
  readonly changed: Catalog["changed"];
  /** The schema's name in the editor's line, where that names one version. */
  readonly schema: { readonly from: string; readonly to: string } | undefined;
  readonly written: readonly string[];
}

/** Of one of many, without what its own file alone says, so that equal ones are printed once. */
export function upgradeText(upgrade: Upgrade, styles: Styles, isOneOfMany = false): string {
  const { file, from, to, target, isOwn, deprecated, available, schema, written } = upgrade;
  const shown = oneLine(file);
  const title = isOneOfMany ? `From ${from} to ${to}` : `${shown}: from ${from} to ${to}`;
  const isThere = from === to;
  const already = `The target of ${shown} is ${to} already.`;
  if (isThere && !schema) return `${already}\n`;
  const place = oneLine(formatSpot(target));
  const set = `The ${isOwn ? "file" : "base"} sets targetVersion at ${place}.`;
  const whose = isOwn ? "the file" : "the file and its base";
  const isUnplaced = ({ file: place }: Place) => isOneOfMany && place === file;
  const changed = upgrade.changed.map((each) => `  ${styles.yellow(each.name)}: ${each.change}`);
  const changes = [
    [styles.bold(title)],
    ...(isUnplaced(target) ? [] : [[set]]),
    deprecated.length === 0
      ? ["No setting of the file is deprecated on the way."]
      : [
          "Deprecated on the way; the reference names nothing that takes their place:",
          ...deprecated.flatMap(({ name, since, meaning, place }) => [
            `  ${styles.yellow(name)} (${since})${isUnplaced(place) ? "" : `, ${oneLine(formatSpot(place))}`}`,
            ...indented(meaning, styles),
          ]),
        ],
    available.length === 0
      ? ["Nothing new is available."]
      : ["Newly available:", ...available.flatMap((each) => availableLines(each, styles))],
    ...(changed.length > 0 ? [["Changed on the way:", ...changed]] : []),
  ];
  const line = "The editor's line names another schema";
  const sections = [
    ...(isThere ? [[already]] : changes),
    ...(schema ? [[`${line}: ${oneLine(schema.from)} → ${oneLine(schema.to)}`]] : []),
    ...(written.length > 0 ? [[`Wrote ${written.map(oneLine).join(" and ")}.`]] : []),
    ...(written.length === 0 && !isOneOfMany
      ? [[`To change ${whose}:`, `  lintel upgrade ${shellWord(oneLine(file))} --to ${to} --write`]]
      : []),
  ];
  return sections.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

function availableLines(setting: Upgrade["available"][number], styles: Styles): string[] {
  const { name, since, meaning, setBy, deprecated } = setting;
  const facts = [
    since,
    setBy && `set by the software's ${setBy}`,
    deprecated && `deprecated since ${deprecated}`,
  ];
  const shown = deprecated ? styles.yellow(name) : styles.green(name);
  return [`  ${shown} (${facts.filter(Boolean).join(", ")})`, ...indented(meaning, styles)];
}

/** The reference marks names the way Markdown does. */
function indented(text: string, styles: Styles): string[] {
  return wrap(text.replaceAll("`", '"'), styles.width - 8).map((line) => `    ${line}`);
}
