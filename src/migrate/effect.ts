// Noun of this room: what code may do when it is not known whether it runs, and methods of which it is known all the same.
import type { Node } from "acorn";
import type { Binding, Scope, Scopes } from "./scope.js";
import type { Script } from "./script.js";
import type { World } from "./world.js";

/** Told of everything that the code may do; each name means what it meant where the code stands. */
export interface Effects {
  /** It may hold any value afterwards. */
  write(binding: Binding, at: Node): void;
  /** An object that it holds may have any value under the key. */
  writeKey(binding: Binding, key: string, at: Node): void;
  /** Whatever it holds may be changed. */
  leak(binding: Binding, at: Node): void;
  leakKey(binding: Binding, key: string, at: Node): void;
  /** Anything may happen. */
  hidden(at: Node): void;
  /** What the function is called on may have any value under the key, or anything else changed in it. */
  self(key: string | undefined, at: Node): void;
  /** Code in a text, of which the text is known. */
  text(code: string, at: Node, scope: Scope): void;
}

/** The script that the code stands in. */
export interface Reading {
  readonly script: Script;
  readonly scopes: Scopes;
  readonly world: World;
}

/** What becomes of a value: it is looked at, it goes somewhere, or it is replaced. */
export type Use = "read" | "escape" | "write";

/** Methods that neither change what they are called on nor hand it on. */
export const HARMLESS: ReadonlySet<string> = new Set(
  "indexOf lastIndexOf join toString charAt charCodeAt substring substr split toLowerCase toUpperCase trim replace match test exec search includes startsWith endsWith hasOwnProperty valueOf localeCompare".split(
    " ",
  ),
);

/** They put a getter or a setter where a value was, the window's too. */
export const DEFINES = /^__define[GS]etter__$/;
