// What many portals have to tell → paragraphs: what only one has, portal by portal, then what several have in common, each thing once.
import type { PortalResult } from "../../../plan/result.js";
import { counted, oneLine, shellWord, shortened } from "../../../lib/text.js";
import type { Body, Collection, Pieces } from "../../model/alike.js";
import { openingOf, reportGuard } from "../../model/guard.js";
import { filesOf as filesFor, sectionsOf, titleOfShared } from "../../model/section.js";
import type { Looks } from "./difference.js";
import { said } from "../flow.js";
import { wrap } from "../layout.js";
import { bodyText, titleOf } from "./portal.js";

/** More than these are counted rather than named. */
const MOST_NAMED = 60;
export const LONGEST_NAME = 60;
/** More files than these make no command that anybody wants to copy. */
const MOST_FILES = 20;

/** `pieces` of those that have anything to tell, by their places among the results; `sides` stands above changes of a drift. */
export function* alikeText(
  results: readonly PortalResult[],
  pieces: readonly (Pieces | undefined)[],
  collection: Collection,
  looks: Looks & { readonly sides?: string },
): Generator<string> {
  const { own, shared } = sectionsOf(pieces, collection);
  for (const { portals, ids, basis, alike } of own) {
    const result = results[portals[0] ?? 0];
    if (!result) continue;
    const head = [titleOf(result, looks.paint), ...dim([result.file, basis], looks)];
    const file = oneLine(result.file);
    const quoted = shellWord(file);
    yield paragraph(head, collection.bodyOf(ids, quoted), { file, quoted }, looks);
    const others = alike.reduce((sum, { changes }) => sum + changes, 0);
    const words = `and ${counted(others, "change")} that others have, too: see below`;
    yield ["", ...(others > 0 ? [...dim([words], looks), ""] : [])].join("\n");
    yield "\n";
  }
  for (const section of shared) {
    const held = section.portals.flatMap((at) => results[at] ?? []);
    const quoted = filesOf(held);
    const body = collection.bodyOf(section.ids, quoted);
    const head = [
      looks.paint.bold(`${titleOfShared(section, body)}:`),
      ...wrap(namesOf(held), looks.width - 2).map((line) => `  ${line}`),
      ...dim([section.basis], looks),
    ];
    yield paragraph(head, body, { file: "their files", quoted }, looks);
    yield "\n";
  }
}

function paragraph(
  head: readonly string[],
  { notes, changes, guards, callouts }: Body,
  { file, quoted }: { readonly file: string; readonly quoted: string },
  looks: Looks & { readonly sides?: string },
): string {
  const isShut = guards.some(({ isOpen }) => !isOpen);
  return bodyText(
    head,
    {
      notes,
      changes,
      callouts,
      guards: guards.map(reportGuard),
      opening: isShut ? openingOf(guards, file, quoted) : undefined,
      sides: looks.sides,
    },
    looks,
  );
}

export function namesOf(held: readonly Pick<PortalResult, "portal">[]): string {
  const names = held
    .slice(0, MOST_NAMED)
    .map(({ portal }) => oneLine(shortened(portal.name, LONGEST_NAME)));
  const left = held.length - names.length;
  return names.join(", ") + (left > 0 ? ` and ${counted(left, "more portal")}` : "");
}

/** As a command names them. */
export function filesOf(held: readonly Pick<PortalResult, "file">[]): string {
  return filesFor(held, MOST_FILES);
}

function dim(lines: readonly string[], looks: Looks): string[] {
  return lines.filter(Boolean).flatMap((line) => said(oneLine(line), looks.paint.dim, "  ", looks));
}
