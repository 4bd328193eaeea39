// The configuration as it is now → each setting's value as text: what JSON has no words for has a word of its own.
import { page } from "./ask.js";
import { isObject, pathOf } from "./known-path.js";
import { modules, ours } from "./window.js";

export interface Look {
  /** Absent where there is no configuration. */
  readonly name?: string;
  /** A module has it, and no name of the page leads to it. */
  readonly isModule?: true;
  /** Where it comes from others as a whole. */
  readonly from?: string;
  readonly names: readonly string[];
  readonly values: Readonly<Record<string, Seen>>;
}

export type Seen =
  | { readonly json: string }
  | { readonly odd: string }
  | {
      readonly reason: "size" | "depth" | "code" | "getter" | "prototype" | "form";
      readonly from?: undefined;
    }
  | { readonly reason: "outside"; readonly from: string };

/** Far more than any setting holds; the same list may be held a million times. */
const MOST = 100_000;
const DEEPEST = 50;
const MOST_NAMES = 10_000;
/** So many names of a portal's configuration no other object has by chance. */
const MANY = 3;

export function look(read: (name: string) => unknown): Look {
  const { usual, lexical } = page.world;
  const held = read(usual);
  const descriptor = Reflect.getOwnPropertyDescriptor(page.realm, usual);
  if (descriptor?.get && !ours.has(descriptor.get)) {
    return { name: usual, from: "getter", names: [], values: {} };
  }
  const windows: unknown = descriptor?.value;
  if (isObject(held)) {
    const other = isObject(windows) && windows !== held ? { from: usual } : {};
    return { name: usual, ...lookAt(held), ...other };
  }
  const names = [...Reflect.ownKeys(page.realm), ...lexical].filter(
    (each): each is string => typeof each === "string" && !page.world.names.includes(each),
  );
  const others = names
    .filter((each) => Reflect.getOwnPropertyDescriptor(page.realm, each)?.get === undefined)
    .map((name) => ({ name, value: read(name) }))
    .filter(({ value }) => isObject(value) && pathOf(value) === undefined);
  const found =
    others.find(({ name, value }) => name.startsWith(usual) && isObject(value)) ??
    others.find(({ value }) => settingsIn(value).length >= MANY);
  if (found && isObject(found.value)) return { name: found.name, ...lookAt(found.value) };
  const module = modules.find((each) => settingsIn(each).length > 0);
  if (isObject(module)) return { name: "define", isModule: true, ...lookAt(module) };
  return { names: [], values: {} };
}

function settingsIn(value: unknown): string[] {
  if (!isObject(value) || value === page.realm) return [];
  return page.world.settings.filter((name) => Reflect.getOwnPropertyDescriptor(value, name));
}

function lookAt(config: object): Omit<Look, "name" | "isModule"> {
  const path = pathOf(config);
  const names = path === undefined ? Reflect.ownKeys(config) : [];
  const values: Record<string, Seen> = {};
  for (const name of page.world.settings) {
    // What others have of it is not listed by a look.
    const own =
      path === undefined ? Reflect.getOwnPropertyDescriptor(config, name) : ownOf(config, name);
    if (own) values[name] = own.get || own.set ? { reason: "getter" } : seen(own.value);
    else if (path === undefined && Reflect.has(config, name))
      values[name] = { reason: "prototype" };
  }
  return {
    names: names.filter((each): each is string => typeof each === "string").slice(0, MOST_NAMES),
    values,
    ...(path !== undefined && path !== page.world.usual && { from: path }),
  };
}

function ownOf(config: object, name: string): PropertyDescriptor | undefined {
  const own = Reflect.getOwnPropertyDescriptor(config, name);
  return own && pathOf(own.value) === `${pathOf(config)}.${name}` ? undefined : own;
}

class NotJson extends Error {
  readonly seen: Seen;
  constructor(found: Seen) {
    super("not JSON");
    this.seen = found;
  }
}

function seen(value: unknown): Seen {
  const isOdd = value === undefined || (typeof value === "number" && !Number.isFinite(value));
  if (isOdd) return { odd: String(value) };
  let count = 0;
  const write = (each: unknown, depth: number): string => {
    if (++count > MOST) throw new NotJson({ reason: "size" });
    if (depth > DEEPEST) throw new NotJson({ reason: "depth" });
    const path = pathOf(each);
    if (path !== undefined) throw new NotJson({ reason: "outside", from: path });
    if (each === page.realm) throw new NotJson({ reason: "form" });
    if (typeof each === "function") throw new NotJson({ reason: "code" });
    if (!isObject(each)) {
      if (typeof each === "symbol" || typeof each === "bigint")
        throw new NotJson({ reason: "form" });
      // As JSON writes it: what it has no words for becomes null, and -0 is 0.
      return JSON.stringify(each) ?? "null";
    }
    if (Array.isArray(each)) {
      if (each.length > MOST) throw new NotJson({ reason: "size" });
      const items = Array.from({ length: each.length }, (_, at) => held(each, String(at)));
      return `[${items.map((item) => write(item, depth + 1)).join(",")}]`;
    }
    const prototype = Reflect.getPrototypeOf(each);
    const isObjectItself = Object.prototype.toString.call(each) === "[object Object]";
    const isPlain =
      isObjectItself && (prototype === null || prototype === page.realm.Object.prototype);
    if (!isPlain || "toJSON" in each) throw new NotJson({ reason: "form" });
    const parts: string[] = [];
    for (const key of Reflect.ownKeys(each)) {
      if (typeof key === "symbol" || !Reflect.getOwnPropertyDescriptor(each, key)?.enumerable)
        continue;
      const item = held(each, key);
      // What is undefined is as good as not there.
      if (item !== undefined) parts.push(`${JSON.stringify(key)}:${write(item, depth + 1)}`);
    }
    return `{${parts.join(",")}}`;
  };
  try {
    return { json: write(value, 0) };
  } catch (error) {
    if (error instanceof NotJson) return error.seen;
    throw error;
  }
}

function held(holder: object, key: string): unknown {
  const own = Reflect.getOwnPropertyDescriptor(holder, key);
  if (own?.get || own?.set) throw new NotJson({ reason: "getter" });
  // A hole shows what stands behind it.
  if (!own && Reflect.has(holder, key)) throw new NotJson({ reason: "prototype" });
  return own?.value;
}
