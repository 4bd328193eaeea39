// Values from an old file and a desired-state file that is there → those that can be added to it, and what is said of the others.
import { ADVANCED, spellingsOf } from "../../catalog/catalog.js";
import { aboutFile, type Diagnostic } from "../../diagnostic.js";
import { asLiteral, yamlLines } from "../../document/edit/value.js";
import { placeOf } from "../../document/read/source.js";
import { entryAt, toJson, type Entry, type Node } from "../../document/read/tree.js";
import { isEqual } from "../../lib/json.js";
import { placeOfProperty } from "../../migrate/diagnose.js";
import type { Judged } from "../../migrate/judge.js";
import { fits, type Written } from "./migrated-file.js";
import type { Into } from "./draft.js";

/** What the file says already, itself or through what it extends, stays as it is. */
export function besides(wanted: readonly Written[], { root, text, file }: Into) {
  const added: Written[] = [];
  /** What is not written, with the reason. */
  const unplaced = new Map<Judged, Diagnostic>();
  for (const each of wanted) {
    const there = entryFor(root, each.name);
    if (!there && fits(text, each)) {
      added.push(each);
      continue;
    }
    const { judged } = each;
    if (there && isEqual(toJson(there.value) ?? null, judged.value ?? null)) continue;
    const place = placeOfProperty(judged);
    const message = there
      ? `"${each.name}" has another value in "${file}", which is left as it is.`
      : `"${each.name}" cannot be added to "${file}", ${obstacle(root)}.`;
    const lines = yamlLines(each.name, asLiteral(judged.value ?? null)).slice(0, 20);
    const byHand = `Add it by hand:\n  ${lines.join("\n  ")}`;
    const help = there ? "Decide which is meant, and write it by hand." : byHand;
    const found = aboutFile(there ? "already-set" : "no-room", place.file, message, help);
    const related = there ? [{ place: placeOf(there.key.span), message: "sets it" }] : [];
    unplaced.set(judged, { ...found, place, related });
  }
  return { added, unplaced };
}

function entryFor(root: Node, name: string): Entry | undefined {
  return spellingsOf(name)
    .map((spelling) => entryAt(root, ["settings", ADVANCED, spelling]))
    .find((each) => each !== undefined);
}

/** What keeps a value from being added, named after the outermost key. */
function obstacle(root: Node): string {
  for (const path of [["settings"], ["settings", ADVANCED]]) {
    const value = entryAt(root, path)?.value;
    if (value && value.via.length > 0) return `where "${path.at(-1)}" is an alias`;
  }
  return `where "settings" or "${ADVANCED}" is written in a way that leaves no room for it`;
}
