// A value of the old file → JSON, or why it is not known.
import type { Json } from "../json.js";
import type { Plain, Value, Why } from "./value.js";
import type { Stretch } from "./script.js";
import { readKey, type World } from "./world.js";

export type Known =
  | { readonly json: Json; readonly isAssumed: boolean; readonly why?: undefined }
  /** A value that JSON has no words for. */
  | { readonly odd: Plain["value"]; readonly why?: undefined }
  | { readonly why: Why };

/** Far more than any setting holds; the same list may be held a million times. */
const MOST = 100_000;
const DEEPEST = 50;

class NotKnown extends Error {
  readonly why: Why;
  constructor(why: Why) {
    super("not known");
    this.why = why;
  }
}

export function known(value: Value, at: Stretch, world: World): Known {
  let count = 0;
  let isAssumed = world.isByProtocol === true;

  function convert(each: Value, depth: number): Json {
    if (++count > MOST) throw new NotKnown({ reason: "size", at });
    if (depth > DEEPEST) throw new NotKnown({ reason: "depth", at });
    switch (each.kind) {
      case "plain":
        isAssumed ||= each.isAssumed;
        return jsonOf(each);
      case "list": {
        const cause = each.spoiled ?? each.isOpen;
        isAssumed ||= each.isByProtocol === true;
        if (cause) throw new NotKnown(cause);
        return each.items.map((item) => convert(item, depth + 1));
      }
      case "thing": {
        const cause = each.spoiled ?? each.rest;
        isAssumed ||= each.isByProtocol === true;
        if (cause) throw new NotKnown(cause);
        const json: Record<string, Json> = Object.create(null) as Record<string, Json>;
        for (const key of each.entries.keys()) {
          const held = readKey(world, each, key, { reason: "name", at });
          // What is undefined is as good as not there.
          if (held.kind === "plain" && held.value === undefined) continue;
          json[key] = convert(held, depth + 1);
        }
        return { ...json };
      }
      case "code":
        throw new NotKnown({ reason: "code", at });
      case "unknown":
      case "open-text":
      case "at-least":
        throw new NotKnown(each.why);
      case "window":
      case "document":
      case "location":
        throw new NotKnown({ reason: "browser", at });
      default:
        throw each satisfies never;
    }
  }

  if (value.kind === "plain" && isOdd(value.value)) return { odd: value.value };
  try {
    const json = convert(value, 0);
    return { json, isAssumed };
  } catch (error) {
    if (error instanceof NotKnown) return { why: error.why };
    throw error;
  }
}

function isOdd(value: Plain["value"]): boolean {
  return value === undefined || (typeof value === "number" && !Number.isFinite(value));
}

/** As JSON writes it: what it has no words for becomes null, and -0 is 0. */
function jsonOf({ value }: Plain): Json {
  if (value === undefined || isOdd(value)) return null;
  return value === 0 ? 0 : value;
}
