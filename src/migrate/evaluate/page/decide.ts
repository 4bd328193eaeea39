// Records what the scripts compute where a page may decide, and takes the way that the world forces.
import { MARK, type Visited } from "../protocol.js";
import { FORCED, isObject, page, pathOf, standIn } from "./outside.js";

interface Visit {
  readonly id: number;
  count: number;
  readonly ways: Set<string>;
  taken: string;
  readonly operands: Set<number>;
  isMarked: boolean;
  /** Each an index of all moments. */
  readonly moments: Set<number>;
}

const visits = new Map<number, Visit>();
/** Functions and catch clauses. */
export const entered = new Set<number>();
const held = new Map<number, unknown[]>();
const MOST_OPERANDS = 64;
/** What a site does later is what it did before, so that a long loop takes no long time. */
const MOST_VISITS = 500;
const MOST_WAYS = 4;

function visit(id: number): Visit {
  let found = visits.get(id);
  if (!found) {
    found = {
      id,
      count: 0,
      ways: new Set(),
      taken: "",
      operands: new Set(),
      isMarked: false,
      moments: new Set(),
    };
    visits.set(id, found);
  }
  found.count++;
  return found;
}

export function visited(): Visited[] {
  return [...visits.values()].map(({ ways, operands, moments, ...more }) => ({
    ...more,
    ways: [...ways].slice(0, MOST_WAYS),
    operands: [...operands],
    moments: [...moments],
  }));
}

export function operand(id: number, value: unknown): unknown {
  const isMissing = page.given.isLenient === true && (value ?? undefined) === undefined;
  const used = isMissing ? standIn(FORCED) : value;
  const all = held.get(id);
  if (all) all.push(used);
  else held.set(id, [used]);
  return used;
}

/** Undefined where the world forces nothing at this visit. */
function forcedAt({ id, count }: Visit): string | undefined {
  const forced = page.given.forced[id];
  return forced && count >= forced.first && count <= forced.last ? forced.way : undefined;
}

/** What the settings were at the conditions that the scripts came to, each combination once. */
export const moments: number[][] = [];
const momentAt = new Map<string, number>();

/** Of each setting's last value: computing one takes long. */
const hashed: { readonly value: unknown; readonly hash: number }[] = [];

/** Calls no code of the script. */
function momentNow(): number {
  page.isReading = true;
  const config = page.configuration();
  const isReadable = isObject(config) && !page.proxies.has(config);
  const hashes = page.given.settings.map((name, nth) => {
    const own = isReadable ? ownOf(config, name) : undefined;
    if (!own) return 0;
    const before = hashed[nth];
    if (before && before.value === own.value && !isObject(own.value)) return before.hash;
    // What other scripts may hold is not the scripts' own.
    const isOther = pathOf(own.value) === `${page.given.usual}.${name}`;
    const now = { value: own.value as unknown, hash: isOther ? 0 : hash(shape(own.value, 0)) };
    hashed[nth] = now;
    return now.hash;
  });
  page.isReading = false;
  const key = hashes.join();
  const at = momentAt.get(key) ?? moments.push(hashes) - 1;
  momentAt.set(key, at);
  return at;
}

function record(here: Visit, way: string, operands: readonly unknown[]): void {
  here.ways.add(way);
  if (here.operands.size >= MOST_OPERANDS || here.count > MOST_VISITS) return;
  here.moments.add(momentNow());
  const text = operands.map((each) => shape(each, 0)).join("\n");
  here.operands.add(hash(text));
  here.isMarked ||= MARK.test(text) || /4731|^now:/m.test(text);
}

/** The operands of this time: the same site may be computed within itself. */
export function result(id: number, count: number, value: unknown, isLossless?: boolean): unknown {
  return computed(id, held.get(id)?.splice(-count) ?? [], value, isLossless);
}

/** An operation that loses information of its operands is forced: a truth, a number, a text, nothing, an empty list. */
export function computed(
  id: number,
  operands: readonly unknown[],
  value: unknown,
  isLossless = isObject(value) && (pathOf(value) !== undefined || !isEmpty(value)),
): unknown {
  const here = visit(id);
  const forced = forcedAt(here);
  if (here.count > MOST_VISITS && forced === undefined) return value;
  if (forced === "throw") throw new page.realm.Error("forced");
  if (isLossless) here.ways.add("object");
  if (isLossless && forced === undefined) return value;
  record(here, shape(value, 0).slice(0, 40), operands);
  // Another script may define what the window lacks, and the page may be in a frame.
  const isLacking = value === undefined || typeof value === "boolean";
  here.isMarked ||= isLacking && operands.includes(page.realm);
  if (forced === undefined) return value;
  here.ways.add("forced");
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return 4731;
  // What another script holds lists every setting, or nothing.
  if (pathOf(value) !== undefined) return page.realm.Array.of();
  return typeof value === "string" ? `zq[${FORCED}]` : standIn(FORCED);
}

export function test(id: number, value: unknown, isNullish?: boolean): unknown {
  const here = visit(id);
  const is = isNullish === true ? (value ?? undefined) !== undefined : Boolean(value);
  const way = forcedAt(here) ?? (is ? "1" : "0");
  if (here.taken.length < MOST_VISITS) here.taken += way;
  record(here, way, [value]);
  if (way === (is ? "1" : "0")) return value;
  if (typeof value === "boolean") return !value;
  return is ? undefined : standIn(FORCED);
}

const ownOf = Reflect.getOwnPropertyDescriptor;

function isEmpty(value: object): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === "function") return false;
  return shape(value, 0) === "x";
}

const MOST_KEYS = 500;
const LONGEST = 2_000;

/** A text that differs where a script may find a difference; it calls no code of the script. */
function shape(value: unknown, depth: number): string {
  const path = pathOf(value);
  if (path !== undefined) return `zq[${path}]`;
  if (typeof value === "bigint") return "bigint";
  if (!isObject(value)) return `${typeof value}:${String(value).slice(0, LONGEST)}`;
  if (value === page.realm) return "window";
  if (page.proxies.has(value)) return `zq[proxy]`;
  if (typeof value === "function") return "function";
  if (Array.isArray(value)) {
    const items = Array.from({ length: Math.min(value.length, MOST_KEYS) }, (_, at) =>
      depth > 1 ? "" : shape(ownOf(value, at)?.value, depth + 1),
    );
    return `[${value.length}:${items.join(",")}]`;
  }
  const prototype = Reflect.getPrototypeOf(value);
  const { date, pattern, object, set, map } = page.prototypes;
  if (prototype === date)
    return `${page.clocks.has(value) ? "now" : "date"}:${Date.prototype.getTime.call(value)}`;
  if (prototype === set || prototype === map) return "zq[others]";
  if (prototype === pattern)
    return `${Reflect.get(RegExp.prototype, "source", value)}/${String(ownOf(value, "lastIndex")?.value)}`;
  const keys = Reflect.ownKeys(value).slice(0, MOST_KEYS).map(String).join(",");
  return prototype === null || prototype === object || keys !== "" ? `{${keys}}` : "x";
}

function hash(text: string): number {
  let found = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    found = Math.imul(found ^ text.charCodeAt(at), 0x01000193);
  return found;
}
