// Noun: a text that only the network may see. Printed, inspected or serialised, it says "(secret)".

export interface Secret {
  /** For the network alone. */
  reveal(): string;
  /** Whether somebody else's text repeats the secret, as it is or encoded. */
  isIn(text: string): boolean;
  toString(): string;
  toJSON(): string;
}

/** A value in a request. */
export type Field = string | Secret;

const PLACEHOLDER = "(secret)";
// An object that merely looks like a secret is none.
const secrets = new WeakSet<object>();

/** The prefix, such as "Bearer ", travels along and is not itself secret. */
export function secret(text: string, prefix = ""): Secret {
  const spellings = () => [
    text,
    encodeURIComponent(text),
    new URLSearchParams({ "": text }).toString().slice(1),
    JSON.stringify(text).slice(1, -1),
    Buffer.from(text).toString("base64"),
  ];
  const made = {
    reveal: () => prefix + text,
    isIn: (other: string) => text !== "" && spellings().some((each) => other.includes(each)),
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
