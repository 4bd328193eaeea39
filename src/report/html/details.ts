// What portals have to tell → the sections of a page, as many as there is room for, and which of them a portal's name leads to.
import { html, type Html } from "../../pages/html.js";
import { counted } from "../../lib/text.js";
import { hostOf, type Body, type Collection, type Pieces } from "../model/alike.js";
import type { Line } from "../model/line.js";
import { filesOf, sectionsOf, titleOfShared, type Section } from "../model/section.js";
import { withinRoom, type PageLimits } from "./budget.js";
import { renderFolds } from "./folds.js";
import type { Palette } from "./picture.js";
import { MOST_FILES, renderOwn, renderShared } from "./portal.js";

/** In bytes, for all sections together; the rest of a page is the table, which takes less. */
const ROOM = 2_000_000;

/** Beyond it, what nobody asked for is folded away. */
const MOST_OPEN = 3;

export function detailsOf(
  lines: readonly Line[],
  pieces: readonly Pieces[],
  collection: Collection,
  palette: Palette,
) {
  const { own, shared } = sectionsOf(pieces, collection);
  const told = [...own, ...shared];
  const ids = new Map([
    ...own.map((each, at) => [each, `p${at + 1}`] as const),
    ...shared.map((each, at) => [each, `g${at + 1}`] as const),
  ]);
  const links = new Map(
    shared.map((each) => [each, renderLink(each, ids.get(each) ?? "", bodyOf(each))]),
  );
  const isOpen = told.length <= MOST_OPEN;
  const details = withinRoom(told, ROOM, (section: Section, limits: PageLimits) => {
    const [id, drawing] = [ids.get(section) ?? "", { limits, palette, isOpen }];
    const [held, body] = [linesOf(section), bodyOf(section)];
    const [line, another] = held;
    if (!line || another) return renderShared(held, section, body, id, drawing);
    const alike = section.alike.flatMap((each) => links.get(each) ?? []);
    return renderOwn(line, body, section, { id, alike }, drawing);
  });
  // To what only it has, else to what the fewest have.
  const leads = new Map(
    [...shared.toReversed(), ...own]
      .filter((each) => details.has(each))
      .flatMap((each) => each.portals.map((at) => [lines[at], ids.get(each)])),
  );
  return {
    idOf: (line: Line) => leads.get(line),
    details: renderDetails(told, details),
    count: details.size,
  };

  function linesOf({ portals }: Section): Line[] {
    return portals.flatMap((at) => lines[at] ?? []);
  }

  function bodyOf(section: Section): Body {
    const held = linesOf(section).map(({ result }) => result);
    const [only, another] = held;
    const host = only && !another ? hostOf(only.portal) : undefined;
    return collection.bodyOf(section.ids, filesOf(held, MOST_FILES), host);
  }
}

function renderLink(section: Section, id: string, body: Body): Html {
  const title = titleOfShared(section, body);
  return html`<a href="#${id}">${title.slice(0, 1).toLowerCase()}${title.slice(1)}</a>`;
}

function renderDetails(
  told: readonly Section[],
  details: ReadonlyMap<Section, Html>,
): Html | undefined {
  if (told.length === 0) return undefined;
  const without = told.filter((each) => !details.has(each)).flatMap(({ portals }) => portals);
  const left = new Set(without).size;
  return html`<section class="details">
    ${renderFolds("Details")} ${told.map((each) => details.get(each))}
    ${left > 0 ? html`<p class="quiet">${counted(left, "portal")} ${left === 1 ? "has" : "have"} no room here for all there is to tell; the plan is in the JSON report.</p>` : undefined}
  </section>`;
}
