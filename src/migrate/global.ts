// A name where it stands → whether the window has it, is it, or got it from somewhere else than the script.
import type { Node } from "acorn";
import { WINDOW_NAMES, type Chain } from "./chain.js";
import { lookUp, type Scope } from "./scope.js";
import type { World } from "./world.js";

export function isGlobal(name: string, scope: Scope, { globals }: World): boolean {
  return lookUp(name, scope, globals) === globals.names.get(name);
}

export function isWindow({ root, keys }: Chain, scope: Scope, world: World): boolean {
  const { name = "" } = root as Node & { name?: string };
  return keys.length === 0 && WINDOW_NAMES.has(name) && isGlobal(name, scope, world);
}

/** What the script reads from somewhere else, and has not written itself. */
export function isData(name: string, scope: Scope, { globals }: World): boolean {
  return lookUp(name, scope, globals).value?.kind === "unknown";
}
