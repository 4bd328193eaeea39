// What many portals have to tell → paragraphs: what only one has, portal by portal, then what several have in common, each thing once.
import type { PortalResult } from "../../../plan/result.js";
import { counted, oneLine, shellWord, shortened } from "../../../text.js";
import { shareOut, type Body, type Collection, type Pieces } from "../../model/alike.js";
import { openingOf, reportGuard } from "../../model/guard.js";
import type { Looks } from "./difference.js";
import { said } from "../flow.js";
import { wrap } from "../layout.js";
import { bodyText, titleOf } from "./portal.js";

/** More than these are counted rather than named. */
const MOST_NAMED = 60;
export const LONGEST_NAME = 60;
/** More files than these make no command that anybody wants to copy. */
const MOST_FILES = 4;

/** `pieces` of those that have anything to tell, by their places among the results; `sides` stands above changes of a drift. */
export function* alikeText(
  results: readonly PortalResult[],
  pieces: readonly (Pieces | undefined)[],
  collection: Collection,
  looks: Looks & { readonly sides?: string },
): Generator<string> {
  const { own, shared } = shareOut(pieces);
  const sharedOf = results.map(() => 0);
  const changesIn = new Map(shared.map((each) => [each, collection.changesIn(each.ids)]));
  for (const each of shared) {
    for (const at of each.portals) sharedOf[at] = (sharedOf[at] ?? 0) + (changesIn.get(each) ?? 0);
  }
  for (const [at, result] of results.entries()) {
    const [told, ids, others] = [pieces[at], own[at] ?? [], sharedOf[at] ?? 0];
    if (!told || ids.length === 0) continue;
    const head = [titleOf(result, looks.paint), ...dim([result.file, told.basis], looks)];
    const body = collection.bodyOf(ids, shellWord(oneLine(result.file)));
    const rest =
      others > 0
        ? dim([`and ${counted(others, "change")} that others have, too: see below`], looks)
        : [];
    yield (
      paragraph(head, body, oneLine(result.file), looks) +
        (rest.length > 0 ? `\n${rest.join("\n")}\n` : "")
    );
    yield "\n";
  }
  for (const each of shared) {
    const held = each.portals.flatMap((at) => results[at] ?? []);
    const bases = new Set(each.portals.map((at) => pieces[at]?.basis ?? ""));
    const count = changesIn.get(each) ?? 0;
    const changes = count > 1 ? counted(count, "change") : count === 1 ? "change" : "";
    const what = ["The same", changes].filter(Boolean).join(" ");
    const head = [
      looks.paint.bold(`${what} on ${counted(held.length, "portal")}:`),
      ...wrap(namesOf(held), looks.width - 2).map((line) => `  ${line}`),
      ...dim(bases.size === 1 ? [...bases] : [], looks),
    ];
    yield paragraph(head, collection.bodyOf(each.ids, filesOf(held)), "their files", looks);
    yield "\n";
  }
}

function paragraph(
  head: readonly string[],
  { notes, changes, guards, callouts }: Body,
  files: string,
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
      opening: isShut ? openingOf(guards, files) : undefined,
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
export function filesOf(held: readonly PortalResult[]): string {
  const files = held.map(({ file }) => shellWord(oneLine(file)));
  return files.length > MOST_FILES ? "FILE…" : files.join(" ");
}

function dim(lines: readonly string[], looks: Looks): string[] {
  return lines.filter(Boolean).flatMap((line) => said(oneLine(line), looks.paint.dim, "  ", looks));
}
