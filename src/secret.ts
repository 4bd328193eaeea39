// Core type: a text that only the network may see. Printing, inspecting or serialising it shows "(secret)".

export interface Secret {
  /** Only for the network. */
  reveal(): string;
  /** Whether a foreign text contains the secret or a part of it, plain or encoded, in any case. */
  isIn(text: string): boolean;
  toString(): string;
  toJSON(): string;
}

/** A value in a request. */
export type Field = string | Secret;

const PLACEHOLDER = "(secret)";
// An object that only looks like a secret is none.
const secrets = new WeakSet<object>();

/**
 * A text must repeat half of the letters before it counts, so that more than half never leaks; at most eight, which
 * leaves enough of a long secret to guess; at least six, because fewer stand in ordinary sentences by chance. A shorter
 * secret counts only as a whole.
 */
function repeats(text: string, spelling: string): boolean {
  const half = Math.ceil(spelling.length / 2);
  const size = Math.min(spelling.length, Math.max(6, Math.min(8, half)));
  for (let at = 0; at + size <= text.length; at++) {
    if (spelling.includes(text.slice(at, at + size))) return true;
  }
  return false;
}

/** The prefix, such as "Bearer ", is not secret. */
export function secret(text: string, prefix = ""): Secret {
  const spell = () => [
    text,
    encodeURIComponent(text),
    new URLSearchParams({ "": text }).toString().slice(1),
    JSON.stringify(text).slice(1, -1),
    Buffer.from(text).toString("base64"),
    Buffer.from(text).toString("hex"),
  ];
  let spellings: readonly string[] | undefined;
  const made = {
    reveal: () => prefix + text,
    isIn: (other: string) => {
      const said = other.toLowerCase();
      spellings ??= spell().map((each) => each.toLowerCase());
      return text !== "" && spellings.some((each) => repeats(said, each));
    },
    toString: () => PLACEHOLDER,
    toJSON: () => PLACEHOLDER,
    [Symbol.for("nodejs.util.inspect.custom")]: () => PLACEHOLDER,
  };
  secrets.add(made);
  return Object.freeze(made);
}

export function isSecret(value: unknown): value is Secret {
  return typeof value === "object" && value !== null && secrets.has(value);
}

export function revealed(value: Field): string {
  return isSecret(value) ? value.reveal() : value;
}
