// A file's text, and values as a portal shows them → the text that says the same; what is written as a reference stays.
import { withPlainNumbers, type Json } from "../../json.js";
import { formatPath, type Path } from "../../settings.js";
import { addValues } from "./add.js";
import { replaceValues, sourceOf } from "./edit.js";
import { asLiteral } from "./literal.js";
import { parse } from "../read/parse.js";
import { nodeAt, writtenText } from "../read/tree.js";

export interface Pulled {
  readonly path: Path;
  /** What the file wanted; absent where it said nothing. */
  readonly before?: Json;
  readonly value: Json;
  readonly outcome: "changed" | "added" | "left";
  /** Why it was left. */
  readonly why?: string;
}

export type Wish = Pick<Pulled, "path" | "before" | "value">;

export interface Pull {
  readonly text: string;
  readonly pulled: readonly Pulled[];
}

/** Each value is put where the text has it, or else below what it has. */
export function pullInto(text: string, values: readonly Wish[]): Pull {
  const pulled: Pulled[] = [];
  let now = text;
  for (const wish of values) {
    const step = pullOne(now, wish.path, wish.value);
    now = step.text ?? now;
    pulled.push({ ...wish, ...step.end });
  }
  return { text: now, pulled };
}

interface PulledOne {
  readonly text?: string;
  readonly end: Pick<Pulled, "outcome" | "why">;
}

function pullOne(text: string, path: Path, value: Json): PulledOne {
  const left = (why: string): PulledOne => ({ end: { outcome: "left", why } });
  const at = ["settings", ...path];
  const root = text.trim() === "" ? undefined : parse(sourceOf(text)).root;
  const node = root && nodeAt(root, at);
  const plain = withPlainNumbers(value);
  if (plain === undefined) return left("YAML would read its number as another one");
  const literal = asLiteral(plain);
  if (!node) {
    const next = addValues(text, [{ path: at.map(String), value: literal }]);
    if (next !== undefined) return { text: next, end: { outcome: "added" } };
    return left(`there is no place for it; write "${formatPath(path)}" by hand`);
  }
  if (node.via.length > 0) return left("it stands there through an alias or a merge");
  if (/(?<!\$)\$\{(?:env|file):|(?<!\$)\$\{portal\.name\}/.test(writtenText(node))) {
    return left("it is written as a reference");
  }
  // A comment inside belongs to an entry, and would go with it.
  if (node.kind !== "mapping" && /(?:^|\s)#/m.test(withoutTexts(writtenText(node)))) {
    return left("comments stand inside it; change it by hand");
  }
  const next = replaceValues(text, [{ path: at, value: literal }]);
  if (next === undefined) return left("it cannot be replaced without touching what is beside it");
  return { text: next, end: { outcome: "changed" } };
}

/** What is quoted, or a block of text below its first line, holds no comment. */
function withoutTexts(written: string): string {
  if (/^[|>]/.test(written)) return written.split("\n", 1)[0] ?? "";
  return written.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/gs, "");
}
