// Writes live values into a file's text; references stay.
import { withPlainNumbers, type Json } from "../../lib/json.js";
import { formatPath, type Path } from "../../settings.js";
import { edit, sourceOf, type Change } from "./edit.js";
import { parse } from "../read/parse.js";
import { holdsReference } from "../read/references.js";
import { nodeAt, writtenText, type Node } from "../read/tree.js";
import { asLiteral } from "./value.js";

export interface Pulled {
  readonly path: Path;
  /** The value in the file; absent if it had none. */
  readonly before?: Json;
  readonly value: Json;
  readonly outcome: "changed" | "added" | "left";
  /** Why it was not changed. */
  readonly why?: string;
  /** The line of the base whose value it overrides for this portal. */
  readonly overrides?: string;
}

export interface Wish extends Pick<Pulled, "path" | "before" | "value" | "overrides"> {
  /** The open window that sets the value. */
  readonly window?: string | undefined;
}

export const REFERRED = "it is written as a reference; change it by hand";

/** Replaces each value that the text has, and adds the others. */
export function pullInto(text: string, wishes: readonly Wish[]) {
  const root = text.trim() === "" ? undefined : parse(sourceOf(text)).root;
  let now = text;
  const pulled = wishes.map(({ window, ...wish }): Pulled => {
    const step = stepFor(root, { window, ...wish });
    if (typeof step === "string") return { ...wish, outcome: "left", why: step };
    const next = edit(now, [step]);
    if (next === undefined) {
      const why =
        "add" in step
          ? `there is no place for it; write "${formatPath(step.add.slice(1))}" by hand`
          : "it cannot be replaced without touching what is beside it";
      return { ...wish, outcome: "left", why };
    }
    now = next;
    return { ...wish, outcome: "set" in step ? "changed" : "added" };
  });
  return { text: now, pulled };
}

/** The edit for a value, or why it is not changed. */
function stepFor(root: Node | undefined, { path, value, window }: Wish): Change | string {
  const at = [...(window === undefined ? [] : ["schedule", window]), "settings", ...path];
  const node = root && nodeAt(root, at);
  const plain = withPlainNumbers(value);
  if (plain === undefined) return "YAML would read its number as another one";
  const literal = asLiteral(plain);
  if (!node) return { add: at.map(String), value: literal };
  const written = writtenText(node);
  if (node.via.length > 0) return "it stands there through an alias or a merge";
  if (holdsReference(written)) return REFERRED;
  // A comment inside belongs to an entry, and would be lost.
  if (node.kind !== "mapping" && /(?:^|\s)#/m.test(withoutTexts(written))) {
    return "comments stand inside it; change it by hand";
  }
  return { set: at, value: literal };
}

/** Removes quoted texts and text blocks, which contain no comments. */
function withoutTexts(written: string): string {
  if (/^[|>]/.test(written)) return written.split("\n", 1)[0] ?? "";
  return written.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/gs, "");
}
