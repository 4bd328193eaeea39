// Noun of this room: what all scripts of a run share, and the place that the reading has come to.
import type { Node } from "acorn";
import { isBrowsersOwn } from "./browser.js";
import type { PortalAddress } from "./location.js";
import { type Binding, type Globals, type Scope, type Scopes } from "./scope.js";
import type { Script } from "./script.js";
import {
  spoil,
  unknown,
  type Entry,
  type Reason,
  type Thing,
  type Value,
  type Why,
} from "./value.js";

export interface World {
  readonly globals: Globals;
  readonly portal: PortalAddress | undefined;
  /** How much has been computed so far. */
  spent?: number;
  /** Code may change anything, and the file does not show how. */
  hidden?: Why;
  /** The window was handed to something, which may find everything there. */
  windowEscapes?: Why;
  /** What functions may set in whatever object they are called as methods of. */
  readonly selfKeys: Map<string, Why>;
  /** A function may change anything in that object. */
  selfEscapes?: Why;
  /** Elements are made whose text is code. */
  makesScripts?: Why;
  /** Elements are given a text. */
  setsText?: Why;
  /** Calling a function of the scripts may end a script. */
  mayThrow?: true;
  /** What was read last depends on the protocol, and whether it ran at all. */
  isByProtocol?: true;
  /** Something is changed under a name that is not known, of an object that is not known either. */
  reachesAnything?: Why;
  /** Lists and texts may have other methods than those of the language. */
  patchedMethods?: Why;
  /** Every object may inherit more than the language says. */
  patchedObjects?: Why;
}

/** Where the reading is, in one script. */
export interface Stage {
  readonly world: World;
  readonly script: Script;
  readonly scopes: Scopes;
  scope: Scope;
  /** What `this` means here. */
  self: Value;
  /** How many conditions the reading is within, all of them known. */
  conditions: number;
  depth: number;
  /** Something in a function that was called ended the script, surely or perhaps. */
  isOver?: "yes" | "perhaps";
}

/** What portals read; other names are somebody's own. */
export const USUAL_NAME = "esriGeowConfig";

/** In characters and in items; a script that doubles a text time and again would fill the memory. */
export const LARGEST = 1_000_000;

export function why(stage: Pick<Stage, "script">, node: Node, reason: Reason): Why {
  return { reason, at: { script: stage.script, start: node.start, end: node.end } };
}

/** Something may end the script here, so that what follows may not run. */
export function mayEnd(stage: Stage): void {
  stage.isOver ??= "perhaps";
}

export function whatHolds({ value, volatile }: Binding): Value | undefined {
  return volatile ? unknown(volatile) : value;
}

/** What a variable holds is subject to all that other code does with the variable. */
export function store(world: World, binding: Binding, value: Value, here?: Why): void {
  const isGlobal = world.globals.names.get(binding.name) === binding;
  // A browser may make another value of it, or keep its own.
  const isOwn = isGlobal && value.kind !== "window" && isBrowsersOwn(binding.name);
  binding.value = isOwn && here ? unknown(here) : value;
  const isShared = isGlobal || world.globals.lexical.get(binding.name) === binding;
  if (value.kind === "thing" && isShared && binding.name.startsWith(USUAL_NAME)) {
    value.isPublished = true;
  }
  affect(world, binding);
}

/** Lets what is known of a variable bear on what it holds. */
export function affect(world: World, { value, leak, spoiledKeys, leakedKeys }: Binding): void {
  if (value?.kind === "window") {
    const reached = leak ?? spoiledKeys.values().next().value ?? leakedKeys.values().next().value;
    if (reached) world.windowEscapes ??= reached;
    return;
  }
  if (leak) spoil(value, leak);
  if (value?.kind === "list") {
    const changed = spoiledKeys.values().next().value ?? leakedKeys.values().next().value;
    if (changed) spoil(value, changed);
  }
  if (value?.kind !== "thing") return;
  for (const [key, reason] of spoiledKeys) {
    if (!value.spoiledKeys.has(key)) value.spoiledKeys.set(key, reason);
    spoil(value.entries.get(key)?.value, reason);
  }
  for (const [key, reason] of leakedKeys) {
    if (!value.leakedKeys.has(key)) value.leakedKeys.set(key, reason);
    spoil(value.entries.get(key)?.value, reason);
  }
}

/** What an object holds under a name, as far as that is known. */
export function readKey(world: World, held: Thing, key: string, here: Why): Value {
  const entry = held.entries.get(key);
  const other = held.spoiled ?? held.spoiledKeys.get(key);
  if (other) return unknown(other);
  if (entry?.value.kind === "unknown") return entry.value;
  const cause = setByMethod(world, held, key);
  if (cause) return unknown(cause);
  if (entry) return entry.value;
  if (held.rest) return unknown(held.rest);
  if (held.isAssumed) return unknown({ ...here, reason: "name" });
  if (world.patchedObjects) return unknown(world.patchedObjects);
  if (key in Object.prototype) return unknown({ ...here, reason: "form" });
  return { kind: "plain", value: undefined, isAssumed: false };
}

/** What is called as a method, by name or because a text is wanted of the object, may set more in it. */
function setByMethod(world: World, held: Thing, key: string): Why | undefined {
  const cause = world.selfEscapes ?? world.selfKeys.get(key);
  if (!cause) return undefined;
  const mayBeCode = ({ value }: Entry) => value.kind === "code" || value.kind === "unknown";
  if (held.spoiledKeys.size > 0) return cause;
  for (const entry of held.entries.values()) if (mayBeCode(entry)) return cause;
  return undefined;
}

export function writeKey(held: Thing, key: string, entry: Entry): void {
  if (key === "__proto__") {
    held.rest ??= { reason: "prototype", at: entry.name };
    spoil(entry.value, held.rest);
    return;
  }
  held.entries.set(key, entry);
  const other = held.spoiled ?? held.spoiledKeys.get(key) ?? held.leakedKeys.get(key);
  if (other) spoil(entry.value, other);
}
