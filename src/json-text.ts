// Noun: JSON text → its value, to the last digit and in the order of its keys; or what is wrong with it, and where.
import { rememberOrder, type Json, numberFrom } from "./json.js";
import { grouped } from "./text.js";

/** How deep values may lie within each other, how many there may be at any depth, and the letters of a text or a name. */
export interface Bounds {
  readonly deepest?: number;
  readonly mostValues?: number;
  readonly longestText?: number;
}

export interface JsonProblem {
  /** What is wrong, for a sentence: "the name "a" stands twice". */
  readonly why: string;
  /** From 0, in UTF-16 units. */
  readonly offset: number;
  /** Line and column count from 1. */
  readonly line: number;
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

/** Every number; a text may hold what looks like one. What stands before it is looked at later, since to do so at each letter takes twice the time. */
const NUMBERS = /(?<![^\s:[,])(-?\d[\d.eE+-]*)(?=\s*(?:[,\]}]|$))/g;

/** The value of a text that we wrote ourselves, to the last digit; throws a SyntaxError where it is not JSON. */
export function parseOwn(text: string): Json {
  // JSON.parse is much faster, and enough where each number is written in the same way again.
  if (holdsPlainNumbers(text)) return JSON.parse(text) as Json;
  const parsed = parseExactly(text, { deepest: 1_000 });
  if ("value" in parsed) return parsed.value;
  throw new SyntaxError(parsed.fault.why);
}

function holdsPlainNumbers(text: string): boolean {
  for (const { 1: number, index } of text.matchAll(NUMBERS)) {
    if (String(Number(number)) === number) continue;
    const before = text.slice(0, index).trimEnd().at(-1) ?? "";
    if (":[,".includes(before)) return false;
  }
  return true;
}

/** A text that is being read, and how far. */
interface Reader {
  readonly text: string;
  readonly bounds: Required<Bounds>;
  readonly path: (string | number)[];
  at: number;
  values: number;
  problem?: JsonProblem;
  repeated?: JsonProblem;
}

export function parseExactly(text: string, bounds: Bounds = {}): Parsed {
  const reader: Reader = {
    text,
    bounds: { deepest: 200, mostValues: Infinity, longestText: Infinity, ...bounds },
    path: [],
    at: text.startsWith("\uFEFF") ? 1 : 0,
    values: 0,
  };
  try {
    const value = read(reader);
    skipSpace(reader);
    if (reader.at < text.length) fail(reader, "something follows after its end");
    return { value, ...(reader.repeated && { repeated: reader.repeated }) };
  } catch (error) {
    if (reader.problem) return { fault: reader.problem };
    throw error;
  }
}

function fail(reader: Reader, why: string, offset = reader.at): never {
  const isOver = offset >= reader.text.length;
  reader.problem = problemAt(reader, offset, isOver ? "it is cut off" : why);
  throw new SyntaxError(why);
}

function problemAt({ text, path }: Reader, offset: number, why: string): JsonProblem {
  let [line, column] = [1, 1];
  for (let each = 0; each < offset && each < text.length; each++) {
    const code = text.charCodeAt(each);
    // A letter outside the basic plane has two code units; only the first of them is counted.
    if (code < 0xdc00 || code > 0xdfff) column++;
    if (code === 0x0a) [line, column] = [line + 1, 1];
  }
  const held = path.at(-1) === UNNAMED ? path.slice(0, -1) : [...path];
  return { why, offset, line, column, path: held };
}

function skipSpace(reader: Reader): void {
  for (;;) {
    const code = reader.text.charCodeAt(reader.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    reader.at++;
  }
}

function read(reader: Reader): Json {
  const { deepest, mostValues } = reader.bounds;
  skipSpace(reader);
  if (++reader.values > mostValues)
    fail(reader, `it holds more than ${grouped(mostValues)} values`);
  if (reader.path.length > deepest) fail(reader, `it is nested more than ${deepest} deep`);
  const first = reader.text[reader.at];
  if (first === "{") return readObject(reader);
  if (first === "[") return readList(reader);
  if (first === '"') return readText(reader);
  const word = WORDS.find(([each]) => reader.text.startsWith(each, reader.at));
  if (!word) return readNumber(reader);
  reader.at += word[0].length;
  return word[1];
}

const WORDS = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;

function readNumber(reader: Reader): Json {
  NUMBER.lastIndex = reader.at;
  const found = NUMBER.exec(reader.text)?.[0];
  if (found === undefined) return fail(reader, "it is no JSON");
  if (found.length > LONGEST_NUMBER) {
    fail(reader, `a number is longer than ${grouped(LONGEST_NUMBER)} letters`);
  }
  reader.at += found.length;
  return numberFrom(found);
}

function readText(reader: Reader): string {
  const { text, at: start, bounds } = reader;
  let isEscaped = false;
  for (reader.at++; ; reader.at++) {
    const code = text.charCodeAt(reader.at);
    if (code === 0x22) break;
    if (code === 0x5c) {
      isEscaped = true;
      reader.at++;
    } else if (!(code >= 0x20)) fail(reader, "a text holds a control character");
  }
  if (reader.at - start - 1 > bounds.longestText) {
    fail(reader, `a text is longer than ${grouped(bounds.longestText)} letters`, start);
  }
  reader.at++;
  if (!isEscaped) return text.slice(start + 1, reader.at - 1);
  try {
    return JSON.parse(text.slice(start, reader.at)) as string;
  } catch {
    return fail(reader, "a text holds an escape that JSON does not know", start);
  }
}

function readList(reader: Reader): Json {
  const { path } = reader;
  const items: Json[] = [];
  if (isEmpty(reader, "]")) return items;
  path.push(0);
  do {
    path[path.length - 1] = items.length;
    items.push(read(reader));
  } while (goesOn(reader, "]"));
  path.pop();
  return items;
}

function readObject(reader: Reader): Json {
  const { text, path } = reader;
  const held: Record<string, Json> = {};
  let order: string[] | undefined;
  if (isEmpty(reader, "}")) return held;
  path.push(UNNAMED);
  do {
    skipSpace(reader);
    const start = reader.at;
    path[path.length - 1] = UNNAMED;
    if (text[start] !== '"') fail(reader, "it is no JSON");
    const key = readText(reader);
    path[path.length - 1] = key;
    const isRepeated = Object.hasOwn(held, key);
    if (isRepeated)
      reader.repeated ??= problemAt(reader, start, "a name stands twice in one object");
    skipSpace(reader);
    if (text[reader.at] !== ":") fail(reader, "it is no JSON");
    reader.at++;
    // JavaScript puts keys that are whole numbers before all others.
    const code = key.charCodeAt(0);
    if (code >= 0x30 && code <= 0x39) order ??= Object.keys(held);
    if (!isRepeated) order?.push(key);
    put(held, key, read(reader));
  } while (goesOn(reader, "}"));
  path.pop();
  const keys = order && Object.keys(held);
  if (order?.some((each, index) => each !== keys?.[index])) rememberOrder(held, order);
  return held;
}

/** Past the bracket that opens, and past the one that closes where it follows at once. */
function isEmpty(reader: Reader, end: string): boolean {
  reader.at++;
  skipSpace(reader);
  const isOver = reader.text[reader.at] === end;
  if (isOver) reader.at++;
  return isOver;
}

/** Past a comma, or past the end. */
function goesOn(reader: Reader, end: string): boolean {
  skipSpace(reader);
  const found = reader.text[reader.at];
  if (found !== "," && found !== end) fail(reader, "it is no JSON");
  reader.at++;
  return found === ",";
}

/** A plain assignment of this one name would set the prototype. */
function put(held: Record<string, Json>, key: string, value: Json): void {
  if (key !== "__proto__") held[key] = value;
  else {
    const plain = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(held, key, plain);
  }
}
