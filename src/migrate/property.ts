// What is read from a value, or found under a name in the window → its value; what may be the window may lead to the configuration.
import type { MemberExpression, Node } from "acorn";
import { isBrowsersOwn, OTHER_WINDOWS } from "./browser.js";
import { keyOf, WINDOW_NAMES } from "./chain.js";
import { MAY_RUN_TEXT, RUNS_TEXT } from "./hidden.js";
import { locationPart } from "./location.js";
import { openProperty } from "./open-text.js";
import { globalNamed, lookUp } from "./scope.js";
import { plain, spoil, unknown, type Reason, type Value } from "./value.js";
import { mayEnd, readKey, whatHolds, why, type Stage } from "./world.js";

/** What the browser itself puts there. */
export function windowProperty(name: string, node: Node, stage: Stage): Value {
  if (WINDOW_NAMES.has(name)) return { kind: "window" };
  // Under another name it could no longer be told from other functions.
  if (RUNS_TEXT.has(name) || MAY_RUN_TEXT.has(name))
    stage.world.hidden ??= why(stage, node, "hidden");
  if (name === "undefined") return plain(undefined);
  if (name === "NaN" || name === "Infinity") return plain(Number(name));
  if (name === "location" || name === "document") return { kind: name };
  if (OTHER_WINDOWS.has(name)) stage.world.windowEscapes ??= why(stage, node, "handed-on");
  return unknown(why(stage, node, name === "navigator" ? "browser" : "name"));
}

export function property(held: Value, key: string | undefined, node: Node, stage: Stage): Value {
  const here = (reason: Reason) => why(stage, node, reason);
  // Where the name stands there as it is, it has been seen before.
  const isComputed =
    node.type === "MemberExpression" && keyOf(node as MemberExpression) === undefined;
  if (isComputed && (key === "__proto__" || key === "prototype" || key === "constructor")) {
    stage.world.patchedMethods ??= here("prototype");
    stage.world.patchedObjects ??= here("prototype");
  }
  switch (held.kind) {
    case "unknown":
      throughUnknown(key, node, stage);
      return held;
    case "window": {
      if (key === undefined) {
        for (const { value } of stage.world.globals.names.values()) spoil(value, here("key"));
        stage.world.windowEscapes ??= here("key");
        return unknown(here("key"));
      }
      const found = globalNamed(key, stage.world.globals);
      return whatHolds(found) ?? windowProperty(key, node, stage);
    }
    case "location":
      return key === undefined
        ? unknown(here("key"))
        : locationPart(key, stage.world.portal, here("page"));
    case "document":
      if (key === "location") return { kind: "location" };
      if (key === "defaultView") return { kind: "window" };
      return unknown(here("browser"));
    case "thing":
      // A getter may fail.
      if (stage.world.mayThrow && held.spoiledKeys.size > 0) mayEnd(stage);
      if (key === undefined) {
        // It may be any of what it holds, under another name.
        for (const { value } of held.entries.values()) spoil(value, here("key"));
        return unknown(here("key"));
      }
      return readKey(stage.world, held, key, here("name"));
    case "list": {
      if (held.spoiled) return unknown(held.spoiled);
      if (key === undefined) {
        for (const item of held.items) spoil(item, here("key"));
        return unknown(here("key"));
      }
      if (key === "length") {
        return held.isOpen
          ? { kind: "at-least", least: held.items.length, why: held.isOpen }
          : plain(held.items.length);
      }
      const item = /^(?:0|[1-9]\d*)$/.test(key) ? held.items[Number(key)] : undefined;
      if (item) return item;
      return held.isOpen || !/^\d+$/.test(key) || stage.world.patchedMethods
        ? unknown(held.isOpen ?? here("form"))
        : plain(undefined);
    }
    case "open-text":
      return key === undefined ? unknown(held.why) : openProperty(held, key);
    case "plain": {
      if (held.value === null || held.value === undefined) mayEnd(stage);
      if (typeof held.value !== "string" || key === undefined) return unknown(here("form"));
      if (key === "length") return plain(held.value.length, held.isAssumed);
      if (!/^(?:0|[1-9]\d*)$/.test(key)) return unknown(here("form"));
      return plain(held.value[Number(key)], held.isAssumed);
    }
    default:
      return unknown(here("form"));
  }
}

/** A variable of the outermost scope, until a script gives it something. */
export function holdsNothing(node: Node, { scope, world }: Stage): boolean {
  if (node.type !== "Identifier") return false;
  const { declared, value, volatile, name } = lookUp(
    (node as Node & { name: string }).name,
    scope,
    world.globals,
  );
  return declared !== undefined && !value && !volatile && !isBrowsersOwn(name);
}

/** It may be the window, and what is read from it the global of that name. */
function throughUnknown(key: string | undefined, node: Node, stage: Stage): void {
  const { world } = stage;
  const here = why(stage, node, "handed-on");
  if (key === undefined) {
    world.reachesAnything ??= why(stage, node, "key");
    return;
  }
  if (OTHER_WINDOWS.has(key)) world.windowEscapes ??= here;
  spoil(world.globals.names.get(key)?.value, here);
}
