// Reads the configuration as it is now: each setting's value as JSON, or why it has none.
import { MARK, questionOf, type Look, type Seen } from "../protocol.js";
import { FORCED, isObject, page, pathOf } from "./outside.js";

/** Far more than a setting holds. A list may hold the same list a million times. */
const MOST = 100_000;
const DEEPEST = 50;
const OF_THE_PAGE = new RegExp(`${MARK.source}|4731`, "i");
const MOST_NAMES = 10_000;
const LONGEST_KEY = 1_000;
/** An object with so many settings is a configuration under another name. */
const MANY = 3;

const ownOf = (holder: object, name: PropertyKey) => Reflect.getOwnPropertyDescriptor(holder, name);

export function lookAtConfiguration(read: (name: string) => unknown): Look {
  const { usual, lexical, names: given } = page.given;
  const held = read(usual);
  const own = ownOf(page.realm, usual);
  if (own?.get && !given.includes(usual))
    return { name: usual, from: "getter", names: [], values: {} };
  if (mayConfigure(held)) {
    const isOther = isObject(own?.value) && own.value !== held;
    return { name: usual, ...lookAt(held), ...(isOther && { from: usual }) };
  }
  const others = [...Reflect.ownKeys(page.realm), ...lexical]
    .filter((each): each is string => typeof each === "string")
    .filter((name) => ownOf(page.realm, name)?.get === undefined)
    .map((name) => ({ name, value: read(name) }))
    .filter(({ value }) => mayConfigure(value) && pathOf(value) === undefined);
  const found =
    others.find(({ name }) => name.startsWith(usual)) ??
    others.find(({ value }) => settingsIn(value).length >= MANY);
  if (found) return { name: found.name, ...lookAt(found.value as object) };
  const module = page.modules.find((each) => settingsIn(each).length > 0);
  if (isObject(module)) return { name: "define", isModule: true, ...lookAt(module) };
  return { names: [], values: {} };
}

/** A function that returns a configuration is none. */
function mayConfigure(value: unknown): value is object {
  const isCode = typeof value === "function" && pathOf(value) === undefined;
  return isObject(value) && (!isCode || settingsIn(value).length > 0);
}

function settingsIn(value: unknown): string[] {
  if (!isObject(value) || value === page.realm) return [];
  return page.given.settings.filter((name) => ownOf(value, name));
}

function lookAt(config: object): Omit<Look, "name" | "isModule"> {
  const path = pathOf(config);
  const isOther = path !== undefined && path !== page.given.usual && path !== FORCED;
  const all = path === undefined ? Reflect.ownKeys(config) : [];
  const names = all.filter((each): each is string => typeof each === "string").slice(0, MOST_NAMES);
  // A key that the page chose may be any other on another page. Here, a new one is not seen.
  const key = Reflect.ownKeys(config).find((each) =>
    OF_THE_PAGE.test(String(each).slice(0, LONGEST_KEY)),
  );
  const isSealed = path === undefined && !Object.isExtensible(config) && !Object.isFrozen(config);
  const chosen = key === undefined ? undefined : questionOf(String(key), page.given.answers);
  const reason = key !== undefined || isSealed ? (chosen ?? "key") : undefined;
  const values: Record<string, Seen> = {};
  for (const name of page.given.settings) {
    const own = ownOf(config, name);
    // What other scripts hold is not listed.
    if (own && path !== undefined && pathOf(own.value) === `${path}.${name}`) continue;
    if (own) values[name] = reason === undefined ? seen(config, name) : { reason };
    else if (path === undefined && Reflect.has(config, name))
      values[name] = { reason: "prototype" };
  }
  return { names, values, ...(isOther && { from: path }) };
}

class NotJson extends Error {}

function seen(config: object, name: string): Seen {
  let count = 0;
  const write = (each: unknown, depth: number): string => {
    if (++count > MOST) throw new NotJson("size");
    if (depth > DEEPEST) throw new NotJson("depth");
    const path = pathOf(each);
    if (path !== undefined) throw new NotJson(path);
    if (typeof each === "function") throw new NotJson("code");
    if (each === page.realm || typeof each === "symbol" || typeof each === "bigint")
      throw new NotJson("form");
    const [mark] = typeof each === "string" ? (MARK.exec(each) ?? []) : [];
    if (mark?.[2] === "[") throw new NotJson(mark.slice(3, -1));
    // As in JSON, other values are null, and -0 is 0.
    if (!isObject(each)) return JSON.stringify(each) ?? "null";
    if (Array.isArray(each)) {
      if (ownOf(each, "toJSON")) throw new NotJson("form");
      if (each.length > MOST) throw new NotJson("size");
      const items = Array.from({ length: each.length }, (_, at) => held(each, String(at)));
      return `[${items.map((item) => write(item, depth + 1)).join(",")}]`;
    }
    const prototype = Reflect.getPrototypeOf(each);
    const isPlain =
      Object.prototype.toString.call(each) === "[object Object]" &&
      (prototype === null || prototype === page.realm.Object.prototype);
    if (!isPlain || "toJSON" in each) throw new NotJson("form");
    const parts: string[] = [];
    for (const key of Reflect.ownKeys(each)) {
      if (typeof key === "symbol" || !ownOf(each, key)?.enumerable) continue;
      const item = held(each, key);
      // As in JSON, undefined is left out.
      if (item !== undefined) parts.push(`${JSON.stringify(key)}:${write(item, depth + 1)}`);
    }
    return `{${parts.join(",")}}`;
  };
  try {
    const value = held(config, name);
    // A proxy may return another value than it holds.
    if (!Object.is(Reflect.get(config, name), value)) return { reason: "getter" };
    const isOdd = value === undefined || (typeof value === "number" && !Number.isFinite(value));
    return isOdd ? { odd: String(value) } : { json: write(value, 0) };
  } catch (error) {
    if (error instanceof NotJson) return { reason: error.message };
    throw error;
  }
}

function held(holder: object, key: string): unknown {
  const own = ownOf(holder, key);
  if (own?.get || own?.set) throw new NotJson("getter");
  // A hole shows the prototype's value.
  if (!own && Reflect.has(holder, key)) throw new NotJson("prototype");
  return own?.value;
}
