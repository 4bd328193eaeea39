// Filters the portals by search, status and pool, and splits them into pages.
import type { Snapshot } from "../snapshot.js";
import { STATUSES, type Status } from "./views/status.js";

/** The query of the list's address, so that a link shows the same list. */
export interface ListQuery {
  /** Words, and qualifiers such as `host:gis.example.com`. */
  readonly q: string;
  readonly status: Status | undefined;
  readonly pool: string;
  /** Counts from 1. */
  readonly page: number;
}

export const QUALIFIERS = ["name", "host", "setting", "author", "commit"] as const;
type Qualifier = (typeof QUALIFIERS)[number];

export const PAGE_SIZE = 100;
const LONGEST_SEARCH = 200;

export type Counts = Readonly<Record<Status, number>>;

export interface PortalList {
  readonly query: ListQuery;
  readonly rows: readonly Snapshot[];
  /** The number of matches on all pages. */
  readonly found: number;
  readonly pages: number;
  /** The number of all portals. */
  readonly total: number;
  /** The matches of search and pool by status. */
  readonly counts: Counts;
  readonly pools: readonly string[];
}

export function readListQuery(query: URLSearchParams): ListQuery {
  const status = query.get("status");
  const page = Number(query.get("page") ?? 1);
  return {
    q: (query.get("q") ?? "").trim().slice(0, LONGEST_SEARCH),
    status: STATUSES.find((each) => each === status),
    pool: query.get("pool") ?? "",
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

interface ListLink {
  readonly q?: string;
  readonly status?: Status | undefined;
  readonly pool?: string;
  readonly page?: number;
}

/** The address of a list, without default values. */
export function listAddress({ q = "", status, pool = "", page = 1 }: ListLink): string {
  const query = new URLSearchParams();
  const given = { q, status, pool, page: page === 1 ? "" : String(page) };
  for (const [name, value] of Object.entries(given)) if (value) query.set(name, value);
  return query.size > 0 ? `/?${query.toString()}` : "/";
}

/** `portals` in display order. */
export function listPortals(portals: readonly Snapshot[], query: ListQuery): PortalList {
  const isMatch = searchOf(query.q);
  const fitting = portals.filter(
    (seen) => (query.pool === "" || seen.pool === query.pool) && isMatch(seen),
  );
  const found = query.status ? fitting.filter(({ status }) => status === query.status) : fitting;
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(query.page, pages);
  return {
    query: { ...query, page },
    rows: found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
    found: found.length,
    pages,
    total: portals.length,
    counts: countsOf(fitting),
    pools: [...new Set(portals.flatMap(({ pool }) => pool ?? []))].toSorted(),
  };
}

export function countsOf(portals: readonly Snapshot[]): Counts {
  const counts = Object.fromEntries(STATUSES.map((each) => [each, 0])) as Record<Status, number>;
  for (const { status } of portals) counts[status]++;
  return counts;
}

/** Every word must match. A word with a star is a pattern for a whole name. */
export function searchOf(text: string): (seen: Snapshot) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).map(wordOf);
  return (seen) => {
    const texts = words.length > 0 ? textsOf(seen) : undefined;
    return words.every(({ qualifier, fits }) =>
      texts && qualifier
        ? texts[qualifier].some(fits)
        : texts && (fits(texts.file) || QUALIFIERS.some((each) => texts[each].some(fits))),
    );
  };
}

interface Word {
  readonly qualifier: Qualifier | undefined;
  readonly fits: (text: string) => boolean;
}

function wordOf(word: string): Word {
  const [, name, rest = ""] = /^([a-z]+):(.*)$/.exec(word) ?? [];
  const qualifier = QUALIFIERS.find((each) => each === name);
  const value = qualifier ? rest : word;
  const parts = value.split("*");
  const fits =
    parts.length === 1
      ? (text: string) => text.includes(value)
      : (text: string) => matchesParts(text, parts);
  return { qualifier, fits };
}

/** Not a regular expression, because many stars can make one extremely slow. */
function matchesParts(text: string, parts: readonly string[]): boolean {
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

type Texts = Readonly<Record<Qualifier, readonly string[]>> & { readonly file: string };

const known = new WeakMap<Snapshot, Texts>();

/** In lower case, cached while the portal does not change. */
function textsOf(seen: Snapshot): Texts {
  const made = known.get(seen);
  if (made) return made;
  const { name, url, id, file, drift, waiting, author = "", commit = "" } = seen;
  const lower = (all: readonly string[]) => all.map((each) => each.toLowerCase());
  const texts: Texts = {
    name: lower([name]),
    host: lower([url.replace(/^https?:\/\//, ""), id]),
    setting: lower([...drift, ...waiting].map(({ path }) => path)),
    author: lower([author]),
    commit: lower([commit]),
    file: file.toLowerCase(),
  };
  known.set(seen, texts);
  return texts;
}
