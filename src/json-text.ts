// Noun: JSON text → its value, to the last digit and in the order of its keys; or what is wrong with it, and where.
import { rememberOrder, type Json, numberFrom } from "./json.js";

export interface Bounds {
  /** How deep values may lie within each other. */
  readonly deepest?: number;
  /** How many values there may be, at any depth. */
  readonly mostValues?: number;
  /** How many letters a text or a name may have. */
  readonly longestText?: number;
}

export interface JsonProblem {
  /** What is wrong, for a sentence: "the name "a" stands twice". */
  readonly why: string;
  /** From 0, in UTF-16 units. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Of the value that was being read. */
  readonly path: readonly (string | number)[];
}

export type Parsed =
  | {
      readonly value: Json;
      /** The first name that stands twice in one object: the later value counts here, and may not for others. */
      readonly repeated?: JsonProblem;
    }
  | { readonly fault: JsonProblem };

/** Longer ones would take long to compare, and no setting means one. */
const LONGEST_NUMBER = 1_000;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Stands in a path while the name itself is being read. */
const UNNAMED = "";

/** A number that JSON.parse might not keep; a text may hold what looks like one, and is then read carefully for nothing. */
const UNSAFE_NUMBER = /(?:^|[:[,])\s*(?:-0|-?\d{16}|-?\d+[.eE])/;

/** The value of a text that we wrote ourselves, to the last digit; throws a SyntaxError for what is no JSON. */
export function parseOwn(text: string): Json {
  // JSON.parse is many times as fast, and almost nothing that we write needs more.
  if (!UNSAFE_NUMBER.test(text)) return JSON.parse(text) as Json;
  const parsed = parseExactly(text, { deepest: 1_000 });
  if ("value" in parsed) return parsed.value;
  throw new SyntaxError(parsed.fault.why);
}

export function parseExactly(text: string, bounds: Bounds = {}): Parsed {
  const { deepest = 200, mostValues = Infinity, longestText = Infinity } = bounds;
  const path: (string | number)[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  let values = 0;
  let fault: JsonProblem | undefined;
  let repeated: JsonProblem | undefined;
  try {
    const value = read();
    skipSpace();
    if (at < text.length) fail("something follows after its end");
    return { value, ...(repeated && { repeated }) };
  } catch (error) {
    if (fault) return { fault };
    throw error;
  }

  function fail(why: string, offset = at): never {
    fault = faultAt(offset, offset >= text.length ? "it is cut off" : why);
    throw new SyntaxError(why);
  }

  function faultAt(offset: number, why: string): JsonProblem {
    let [line, column] = [1, 1];
    for (let each = 0; each < offset && each < text.length; each++) {
      const code = text.charCodeAt(each);
      // The second half of a letter outside the basic plane is no letter of its own.
      if (code < 0xdc00 || code > 0xdfff) column++;
      if (code === 0x0a) [line, column] = [line + 1, 1];
    }
    const held = path.at(-1) === UNNAMED ? path.slice(0, -1) : [...path];
    return { why, offset, line, column, path: held };
  }

  function skipSpace(): void {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      at++;
    }
  }

  function read(): Json {
    skipSpace();
    if (++values > mostValues) fail(`it holds more than ${counted(mostValues)} values`);
    if (path.length > deepest) fail(`it is nested more than ${deepest} deep`);
    switch (text[at]) {
      case "{":
        return readObject();
      case "[":
        return readList();
      case '"':
        return readText();
      case "t":
        return readWord("true", true);
      case "f":
        return readWord("false", false);
      case "n":
        return readWord("null", null);
      default:
        return readNumber();
    }
  }

  function readWord(word: string, value: Json): Json {
    if (!text.startsWith(word, at)) fail("it is no JSON");
    at += word.length;
    return value;
  }

  function readNumber(): Json {
    NUMBER.lastIndex = at;
    const found = NUMBER.exec(text)?.[0];
    if (found === undefined) return fail("it is no JSON");
    if (found.length > LONGEST_NUMBER) {
      fail(`a number is longer than ${counted(LONGEST_NUMBER)} letters`);
    }
    at += found.length;
    return numberFrom(found);
  }

  function readText(): string {
    const start = at;
    let isEscaped = false;
    for (at++; ; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) break;
      if (code === 0x5c) {
        isEscaped = true;
        at++;
      } else if (!(code >= 0x20)) fail("a text holds a control character");
    }
    if (at - start - 1 > longestText) {
      fail(`a text is longer than ${counted(longestText)} letters`, start);
    }
    at++;
    if (!isEscaped) return text.slice(start + 1, at - 1);
    try {
      return JSON.parse(text.slice(start, at)) as string;
    } catch {
      return fail("a text holds an escape that JSON does not know", start);
    }
  }

  function readList(): Json {
    const items: Json[] = [];
    at++;
    skipSpace();
    if (text[at] === "]") {
      at++;
      return items;
    }
    path.push(0);
    for (;;) {
      path[path.length - 1] = items.length;
      items.push(read());
      if (!goesOn("]")) break;
    }
    path.pop();
    return items;
  }

  function readObject(): Json {
    const held: Record<string, Json> = {};
    let order: string[] | undefined;
    at++;
    skipSpace();
    if (text[at] === "}") {
      at++;
      return held;
    }
    path.push(UNNAMED);
    for (;;) {
      skipSpace();
      const start = at;
      path[path.length - 1] = UNNAMED;
      if (text[at] !== '"') fail("it is no JSON");
      const key = readText();
      path[path.length - 1] = key;
      const isRepeated = Object.hasOwn(held, key);
      if (isRepeated) repeated ??= faultAt(start, "a name stands twice in one object");
      skipSpace();
      if (text[at] !== ":") fail("it is no JSON");
      at++;
      // JavaScript puts keys that are whole numbers before all others.
      const code = key.charCodeAt(0);
      if (code >= 0x30 && code <= 0x39) order ??= Object.keys(held);
      if (!isRepeated) order?.push(key);
      put(held, key, read());
      if (!goesOn("}")) break;
    }
    path.pop();
    const keys = order && Object.keys(held);
    if (order?.some((each, index) => each !== keys?.[index])) rememberOrder(held, order);
    return held;
  }

  /** Past a comma, or past the end. */
  function goesOn(end: string): boolean {
    skipSpace();
    const found = text[at];
    if (found !== "," && found !== end) fail("it is no JSON");
    at++;
    return found === ",";
  }
}

/** A plain assignment of this one name would set the prototype. */
function put(held: Record<string, Json>, key: string, value: Json): void {
  if (key !== "__proto__") held[key] = value;
  else {
    Object.defineProperty(held, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}

function counted(count: number): string {
  return count.toLocaleString("en");
}
