// Texts, numbers and lists of which only the beginning or a bound is known → what holds of them all the same.
import { plain, unknown, type OpenText, type Value, type Why } from "./value.js";

/** Whether a value counts as true; undefined where that is not known. */
export function truth(value: Value): boolean | undefined {
  switch (value.kind) {
    case "plain":
      return Boolean(value.value);
    case "open-text":
      return value.text === "" ? undefined : true;
    case "at-least":
      return value.least > 0 ? true : undefined;
    case "unknown":
      return undefined;
    case "thing":
      // A browser starts without what another file may have defined.
      return value.isAssumed ? undefined : true;
    default:
      return true;
  }
}

/** A comparison of which one side is known in part; undefined where that part does not decide. */
export function compareParts(operator: string, left: Value, right: Value): boolean | undefined {
  if (left.kind === "at-least" && right.kind === "plain" && typeof right.value === "number") {
    if (operator === ">" && left.least > right.value) return true;
    if (operator === ">=" && left.least >= right.value) return true;
    if (operator === "<" && left.least >= right.value) return false;
    if (operator === "<=" && left.least > right.value) return false;
    return left.least > right.value ? decideUnequal(operator) : undefined;
  }
  if (left.kind === "open-text" && right.kind === "plain" && typeof right.value === "string") {
    return right.value.startsWith(left.text) ? undefined : decideUnequal(operator);
  }
  if (left.kind === "plain" && (right.kind === "open-text" || right.kind === "at-least")) {
    const turned = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" }[operator] ?? operator;
    return compareParts(turned, right, left);
  }
  return undefined;
}

function decideUnequal(operator: string): boolean | undefined {
  if (operator === "==" || operator === "===") return false;
  return operator === "!=" || operator === "!==" ? true : undefined;
}

export function openProperty({ text, why }: OpenText, key: string): Value {
  if (key === "length") return { kind: "at-least", least: text.length, why };
  const character = /^(?:0|[1-9]\d*)$/.test(key) ? text[Number(key)] : undefined;
  return character === undefined ? unknown(why) : plain(character);
}

/** What a method gives for every text that begins so; undefined where it may give different things. */
export function openMethod(
  open: OpenText,
  method: string,
  given: readonly (string | number | undefined)[],
): Value | undefined {
  const { text, why } = open;
  const [first, second] = given;
  switch (method) {
    case "toString":
    case "valueOf":
      return open;
    case "charAt":
      return typeof first === "number" && first >= 0 && first < text.length
        ? plain(text.charAt(first))
        : undefined;
    case "indexOf": {
      if (typeof first !== "string" || typeof (second ?? 0) !== "number") return undefined;
      const at = text.indexOf(first, Number(second ?? 0));
      return at === -1 ? undefined : plain(at);
    }
    case "startsWith":
      if (typeof first !== "string" || given.length > 1) return undefined;
      if (text.startsWith(first)) return plain(true);
      return first.startsWith(text) ? undefined : plain(false);
    case "includes":
      return typeof first === "string" && given.length === 1 && text.includes(first)
        ? plain(true)
        : undefined;
    case "substring":
    case "slice":
      return part(text, why, method, first, second);
    case "substr":
      if (typeof first !== "number" || first < 0) return undefined;
      return part(text, why, method, first, typeof second === "number" ? first + second : second);
    case "toLowerCase":
      return { kind: "open-text", text: text.toLowerCase(), why };
    case "toUpperCase":
      return { kind: "open-text", text: text.toUpperCase(), why };
    case "split":
      return typeof first === "string" && first !== "" && given.length === 1
        ? pieces(open, first)
        : undefined;
    default:
      return undefined;
  }
}

function part(
  text: string,
  why: Why,
  method: string,
  from: string | number | undefined,
  to: string | number | undefined,
): Value | undefined {
  if (typeof from !== "number" || from < 0 || from > text.length) return undefined;
  if (to === undefined) return { kind: "open-text", text: text.slice(from), why };
  if (typeof to !== "number" || to < 0 || to > text.length) return undefined;
  return plain(method === "substring" ? text.substring(from, to) : text.slice(from, to));
}

/** All but the last piece are whole; more pieces may follow it. */
function pieces({ text, why }: OpenText, separator: string): Value | undefined {
  // The end of what is known may be the beginning of a separator.
  for (let size = 1; size < separator.length; size++) {
    if (text.endsWith(separator.slice(0, size))) return undefined;
  }
  const all = text.split(separator);
  const last = all.pop() ?? "";
  return {
    kind: "list",
    items: [...all.map((each) => plain(each)), { kind: "open-text", text: last, why }],
    isOpen: why,
  };
}
