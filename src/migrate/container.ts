// A list or an object that is written out → the value that it makes, each part computed in order.
import type { ArrayExpression, Node, ObjectExpression } from "acorn";
import { nameOf } from "./chain.js";
import { spend } from "./budget.js";
import { fold, plainKey } from "./fold.js";
import { plain, spoil, thing, unknown, whyOf, type Value } from "./value.js";
import { LARGEST, mayEnd, readKey, why, type Stage } from "./world.js";

export function list({ elements }: ArrayExpression, stage: Stage): Value {
  const items: Value[] = [];
  let open: Value | undefined;
  let hasHoles = false;
  for (const each of elements) {
    if (each === null) {
      items.push(plain(undefined));
      hasHoles = true;
    } else if (each.type === "SpreadElement") {
      const spread = fold(each.argument, stage);
      if (
        spread.kind === "list" &&
        !spread.spoiled &&
        !spread.isOpen &&
        !spread.hasHoles &&
        !stage.world.patchedMethods &&
        spend(spread.items.length, each, stage)
      ) {
        for (const item of spread.items) items.push(item);
      } else {
        if (spread.kind === "plain" && typeof spread.value !== "string") mayEnd(stage);
        spoil(spread, why(stage, each, "spread"));
        open ??= unknown(whyOf(spread) ?? why(stage, each, "spread"));
      }
    } else items.push(kept(fold(each, stage), each, stage));
    if (items.length > LARGEST)
      return unknown(why(stage, each ?? elements[0] ?? ({} as Node), "size"));
  }
  if (!open) return { kind: "list", items, ...(hasHoles && { hasHoles }) };
  for (const item of items) spoil(item, why(stage, elements[0] as Node, "spread"));
  return open;
}

/** What holds the window may hand it on under a name that nobody sees. */
function kept(value: Value, node: Node, { world, script }: Stage): Value {
  if (value.kind === "window") world.windowEscapes ??= why({ script }, node, "handed-on");
  return value;
}

export function literal({ properties }: ObjectExpression, stage: Stage): Value {
  const made = thing();
  const { script, world } = stage;
  for (const each of properties) {
    if (each.type === "SpreadElement") {
      const from = fold(each.argument, stage);
      if (from.kind === "thing" && !from.spoiled && !from.rest && !from.isAssumed) {
        for (const key of from.entries.keys()) {
          const at = { script, start: each.start, end: each.end };
          const value = readKey(world, from, key, why(stage, each, "spread"));
          made.entries.set(key, { value, name: at, written: at });
        }
        for (const [key, cause] of from.spoiledKeys) made.spoiledKeys.set(key, cause);
        continue;
      }
      if (from.kind === "plain" && typeof from.value !== "string") continue;
      const cause = why(stage, each, "spread");
      spoil(from, cause);
      made.rest = cause;
      // Whatever stands before it may be replaced by it.
      for (const [key, entry] of made.entries) {
        made.entries.set(key, { ...entry, value: unknown(cause) });
      }
      continue;
    }
    const key =
      nameOf(each.key, each.computed) ??
      (each.computed ? plainKey(fold(each.key, stage)) : undefined);
    const name = { script, start: each.key.start, end: each.key.end };
    const written = { script, start: each.value.start, end: each.value.end };
    if (key === undefined) {
      const cause = why(stage, each.key, "key");
      spoil(fold(each.value, stage), cause);
      made.rest = cause;
      for (const [held, entry] of made.entries) {
        made.entries.set(held, { ...entry, value: unknown(cause) });
      }
      continue;
    }
    if (each.kind !== "init") {
      const cause = why(stage, each, "getter");
      made.entries.set(key, { value: unknown(cause), name, written });
      made.spoiledKeys.set(key, cause);
      continue;
    }
    const value = kept(fold(each.value, stage), each, stage);
    if (key === "__proto__" && !each.computed && !each.shorthand && !each.method) {
      const inherits = value.kind !== "plain" || value.value === null;
      if (inherits && !(value.kind === "plain")) {
        made.rest = why(stage, each, "prototype");
        spoil(value, made.rest);
      }
      continue;
    }
    const first = made.entries.get(key);
    if (first) made.repeated.push({ name: key, first: first.name, again: name });
    // A later value takes the place of a getter of the same name.
    made.spoiledKeys.delete(key);
    made.entries.set(key, { value, name, written });
  }
  return made;
}
