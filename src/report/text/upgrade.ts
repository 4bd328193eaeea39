// What a newer target changes for a file → text for people.
import type { Place } from "../../diagnostic.js";
import { wrap } from "./layout.js";
import { type Paint } from "./paint.js";
import { oneLine, shellWord } from "../../text.js";

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
  readonly available: readonly {
    readonly name: string;
    readonly since: string;
    readonly meaning: string;
    readonly setBy: string | undefined;
    /** Since when it is deprecated, where it is so at the new target already. */
    readonly deprecated: string | undefined;
  }[];
  /** The schema's name in the editor's line, where that names one version. */
  readonly schema: { readonly from: string; readonly to: string } | undefined;
  readonly written: readonly string[];
}

export function upgradeText(upgrade: Upgrade, paint: Paint): string {
  const { file, from, to, target, isOwn, deprecated, available, schema, written } = upgrade;
  const shown = oneLine(file);
  const isThere = from === to;
  if (isThere && !schema) return `${shown} has the target ${to} already.\n`;
  const where = `${oneLine(target.file)}:${target.line}:${target.column}`;
  const changes = [
    [paint.bold(`${shown}: from ${from} to ${to}`)],
    [
      isOwn
        ? `targetVersion stands at ${where}.`
        : `targetVersion stands in a file that this one extends, at ${where}.`,
    ],
    deprecated.length === 0
      ? ["No setting of the file is deprecated on the way."]
      : [
          "Deprecated on the way; the reference names nothing that takes their place:",
          ...deprecated.flatMap(({ name, since, meaning, place }) => [
            `  ${paint.yellow(name)} (${since}), ${oneLine(place.file)}:${place.line}:${place.column}`,
            ...indented(meaning),
          ]),
        ],
    available.length === 0
      ? ["Nothing new is available."]
      : [
          "Newly available:",
          ...available.flatMap(({ name, since, meaning, setBy, deprecated: until }) => [
            `  ${until ? paint.yellow(name) : paint.green(name)} (${[
              since,
              ...(setBy ? [`set by the software's ${setBy}`] : []),
              ...(until ? [`deprecated since ${until}`] : []),
            ].join(", ")})`,
            ...indented(meaning),
          ]),
        ],
    ["The reference documents no name and no default that changes between these versions."],
  ];
  const sections = [
    ...(isThere ? [[`${shown} has the target ${to} already.`]] : changes),
    schema
      ? [`The editor's line names another schema: ${oneLine(schema.from)} → ${oneLine(schema.to)}`]
      : [],
    written.length > 0
      ? [`Wrote ${written.map(oneLine).join(" and ")}.`]
      : isOwn
        ? ["To change the file:", `  lintel upgrade ${oneLine(shellWord(file))} --to ${to} --write`]
        : [
            "To change the target of every file that extends it:",
            `  lintel upgrade ${oneLine(shellWord(target.file))} --to ${to} --write`,
          ],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

/** The reference marks names the way Markdown does. */
function indented(text: string): string[] {
  return wrap(text.replaceAll("`", '"'), 88).map((line) => `    ${line}`);
}
