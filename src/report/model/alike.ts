// What is to be told of many portals, portal by portal → what only one has, and what several have in common, so that it is told once.
import { isWrittenAlike, parseExact, printJson, type Json } from "../../lib/json.js";
import type { Change } from "../../plan/diff.js";
import type { Guard } from "../../plan/guard.js";
import type { Identity } from "../../plan/inputs.js";
import { shellWord, oneLine } from "../../lib/text.js";
import { placeOf, reportChange, type ChangeReport, type NoteReport } from "./change.js";
import { sidesOf, type Sides } from "./picture.js";
import type { Callout, PortalReport } from "./portal.js";

/** What can be told of one portal as well as of several, because nothing in it says whose it is. */
export interface Body {
  readonly notes: readonly NoteReport[];
  readonly changes: readonly ChangeReport[];
  readonly guards: readonly Guard[];
  readonly callouts: readonly Callout[];
  readonly request: RequestText | undefined;
  readonly pictures: readonly Sides[];
}

/** The first names of what is sent, how many there are beside them, and the whole, where there is any. */
export interface RequestText {
  readonly names: readonly string[];
  readonly left: number;
  readonly text?: string;
}

/** What a portal has to tell, each piece as a number that stands for it wherever it occurs. */
export interface Pieces {
  readonly ids: readonly number[];
  /** Told beside these, and by itself no reason to tell of a portal alone: what is sent differs wherever portals do. */
  readonly beside: readonly number[];
  /** For which version it is planned, and what was compared with what. */
  readonly basis: string;
}

/** What some portals, by their numbers in the run, have in common. */
export interface Shared {
  readonly portals: readonly number[];
  readonly ids: readonly number[];
}

type Piece =
  | { readonly kind: "note"; readonly note: NoteReport }
  | { readonly kind: "change"; readonly change: Change; readonly isDone: boolean }
  | { readonly kind: "guard"; readonly guard: Guard }
  | { readonly kind: "callout"; readonly callout: Callout }
  | { readonly kind: "request"; readonly request: RequestText }
  | { readonly kind: "picture"; readonly sides: Sides };

/** What only some formats tell; text has a place of its own for failures. */
export type Extra = "failed" | "request" | "picture";

/** In place of the file in a command. */
const FILE = "\0";

/** A text whose commands name no file, so that portals which have the same to do are alike. */
export function withoutFile(text: string, file: string): string {
  return text.replaceAll(shellWord(oneLine(file)), FILE);
}

/** An error that says where in the portal's own file it stands, without that: what several have in common has no one place. */
export function withoutPlace(message: string, file: string): string {
  const parts = message.split(`${file}:`);
  return parts.reduce((said, part) => {
    const rest = part.replace(/^\d+:\d+: /, "");
    return said + (rest === part ? `${file}:${part}` : rest);
  });
}

/** The same with what its commands are to name. */
export function withFiles(text: string, files: string): string {
  // Given as text, a "$" in the name of a file would mean something else.
  return text.replaceAll(FILE, () => files);
}

/** In place of a portal's own host in an error, so that portals that cannot be reached are so alike. */
const HOST = "\u0001";

/** What stands in its place where there are several. */
export const ANY_HOST = "HOST";

export type Collection = ReturnType<typeof openCollection>;

/** Holds each piece once, as text, a tenth of what it takes otherwise. */
export function openCollection(extras: readonly Extra[] = []) {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  // Those of alike portals are one.
  const told = new Map<string, Pieces>();
  // Where a change stands; empty where it stands at another place for each portal.
  const places: string[] = [];
  // What came first, second and so on of the portal before: of most it is the same again, which is seen in less time
  // than a text is made.
  const before: { readonly piece: Piece; readonly id: number }[] = [];

  function numberOf(piece: Piece, nth: number, at = ""): number {
    const last = before[nth];
    const id =
      last && isWrittenAlike(last.piece as unknown as Json, piece as unknown as Json)
        ? last.id
        : numberOfText(printJson(piece));
    if (id !== last?.id) before[nth] = { piece, id };
    if (places.length === id) places.push(at);
    else if (places[id] !== at) places[id] = "";
    return id;
  }

  function numberOfText(text: string): number {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, texts.length);
    return texts.push(text) - 1;
  }

  function pieceOf(id: number): Piece {
    return parseExact(texts[id] ?? "") as unknown as Piece;
  }

  return {
    add(report: PortalReport): Pieces {
      const { commonBasis: basis } = report;
      const ids = piecesIn(report, extras).map(([piece, at], nth) => numberOf(piece, nth, at));
      const beside = besideIn(report, extras).map((piece, nth) =>
        numberOf(piece, ids.length + nth),
      );
      const text = `${basis}\n${ids.join()}\n${beside.join()}`;
      const pieces = told.get(text) ?? { ids: [...new Set(ids)], beside, basis };
      told.set(text, pieces);
      return pieces;
    },
    changesIn: (ids: readonly number[]) => ids.filter((id) => pieceOf(id).kind === "change").length,
    /** `files` are what a command is to name. */
    bodyOf(ids: readonly number[], files: string, host = ANY_HOST): Body {
      const pieces = ids.map((id) => ({ ...pieceOf(id), at: places[id] ?? "" }));
      return {
        notes: pieces.flatMap((each) =>
          each.kind === "note" ? [{ ...each.note, text: withFiles(each.note.text, files) }] : [],
        ),
        changes: pieces.flatMap((each) =>
          each.kind === "change"
            ? [{ ...reportChange(each.change, each.isDone), at: each.at }]
            : [],
        ),
        guards: pieces.flatMap((each) => (each.kind === "guard" ? [each.guard] : [])),
        callouts: pieces.flatMap((each) => {
          if (each.kind !== "callout") return [];
          const { message, help } = each.callout;
          const said = message.replaceAll(HOST, host);
          return [{ ...each.callout, message: said, help: withFiles(help, files) }];
        }),
        request: pieces.flatMap((each) => (each.kind === "request" ? [each.request] : []))[0],
        pictures: pieces.flatMap((each) => (each.kind === "picture" ? [each.sides] : [])),
      };
    },
  };
}

/** Each with where it stands, if that is in a file. */
function piecesIn(
  report: PortalReport,
  extras: readonly Extra[],
): readonly (readonly [piece: Piece, at?: string])[] {
  const { result, remarks, notes, changes, callouts, isDone } = report;
  const told = [
    ...remarks.map((text) => ({ text, isUnmeant: false })),
    ...notes.map((note) => ({ ...note, text: withoutFile(note.text, result.file) })),
  ];
  return [
    ...told.map((note) => [{ kind: "note", note }] as const),
    ...changes.map(
      (change) =>
        [{ kind: "change", change: { ...change, place: null }, isDone }, placeOf(change)] as const,
    ),
    // A drift shows what somebody changed; what an apply would be stopped by is for its plan.
    ...(report.isDrift ? [] : (result.plan?.guards ?? [])).map(
      (guard) => [{ kind: "guard", guard }] as const,
    ),
    ...callouts
      .filter(({ kind }) => kind !== "failed" || extras.includes("failed"))
      .map((callout) => {
        const { kind, message, help } = callout;
        const said = kind === "failed" ? withHost(message, result.portal, HOST) : message;
        const open = { ...callout, message: said, help: withoutFile(help, result.file) };
        return [{ kind: "callout", callout: open }] as const;
      }),
  ];
}

function besideIn(report: PortalReport, extras: readonly Extra[]): Piece[] {
  return [
    ...(extras.includes("request") ? requestsIn(report) : []).map(
      (request) => ({ kind: "request", request }) as const,
    ),
    ...(extras.includes("picture") ? sidesOf(report) : []).map(
      (sides) => ({ kind: "picture", sides }) as const,
    ),
  ];
}

export function hostOf({ url }: Identity): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

/** An error that names the portal's own host, with another word in its place. */
export function withHost(message: string, portal: Identity, word: string): string {
  const host = hostOf(portal);
  return host ? message.replaceAll(`"${host}"`, `"${word}"`) : message;
}

function requestsIn({ request }: PortalReport): RequestText[] {
  if (!request) return [];
  const { names, left, settings } = request;
  return [{ names, left, ...(settings && { text: printJson(settings, 2) }) }];
}

/** What only one has, by portal; and what is common to several, the rarest first. */
export function shareOut(
  told: readonly ((Pick<Pieces, "ids"> & Partial<Pick<Pieces, "beside">>) | undefined)[],
) {
  const holders = new Map<number, number[]>();
  for (const [portal, pieces] of told.entries()) {
    for (const id of pieces?.ids ?? []) {
      const known = holders.get(id);
      if (known) known.push(portal);
      else holders.set(id, [portal]);
    }
  }
  const own = told.map((pieces) => {
    const ids = pieces?.ids.filter((id) => holders.get(id)?.length === 1) ?? [];
    return ids.length > 0 ? [...ids, ...(pieces?.beside ?? [])] : [];
  });
  const groups = new Map<string, { portals: readonly number[]; ids: number[] }>();
  for (const [id, portals] of holders) {
    if (portals.length < 2) continue;
    const key = portals.join();
    const group = groups.get(key) ?? { portals, ids: [] };
    group.ids.push(id);
    groups.set(key, group);
  }
  const shared = [...groups.values()].map(({ portals, ids }): Shared => {
    const [first = 0] = portals;
    const common = told[first]?.beside?.filter((id) =>
      portals.every((at) => told[at]?.beside?.includes(id)),
    );
    return { portals, ids: [...ids, ...(common ?? [])] };
  });
  return {
    own,
    shared: shared.toSorted((one, other) => one.portals.length - other.portals.length),
  };
}
