// A whole program, before it is read in order → what functions in it may do to its variables at any time.
import type { AnyNode, Node } from "acorn";
import { parse as parseText } from "acorn";
import { calledFunction } from "./chain.js";
import type { Effects, Reading } from "./effect.js";
import { sweep } from "./effects.js";
import { notePatches, noteTargets } from "./patch.js";
import { noteReach } from "./reach.js";
import { isFunctionNode, type Binding, type Scope } from "./scope.js";
import { spoil, unknown, type Reason, type Why } from "./value.js";
import { affect, store, why, type Stage } from "./world.js";
import { childrenOf, isLeaf } from "./walk.js";

export function survey(program: Node, reading: Reading): void {
  const { scopes } = reading;
  const called = new Set<Node>();
  const left: { node: Node; scope: Scope | undefined; parent?: Node }[] = [
    { node: program, scope: scopes.get(program) },
  ];
  for (let next = left.pop(); next; next = left.pop()) {
    const { node } = next;
    const scope = scopes.get(node) ?? next.scope;
    const inline = calledFunction(node);
    if (inline) called.add(inline.node);
    if (scope && isFunctionNode(node) && !called.has(node)) {
      sweep(node, "read", scope, reading, atAnyTime(reading));
    }
    noteAll(node, next.parent, reading);
    for (const child of childrenOf(node)) {
      if (!isLeaf(child)) left.push({ node: child, scope, parent: node });
    }
  }
}

function noteAll(node: Node, parent: Node | undefined, reading: Reading): void {
  notePatches(node as AnyNode, parent, reading);
  noteTargets(node as AnyNode, reading);
  noteReach(node as AnyNode, reading);
}

/** For code that may run at any time, also later than everything else. */
export function atAnyTime(reading: Reading): Effects {
  const { world } = reading;
  const reason = (at: Node) => why(reading, at, "function");
  return {
    write(binding, at) {
      binding.volatile ??= reason(at);
    },
    leak(binding, at) {
      binding.leak ??= reason(at);
      affect(world, binding);
    },
    writeKey(binding, key, at) {
      if (!binding.spoiledKeys.has(key)) binding.spoiledKeys.set(key, reason(at));
      affect(world, binding);
    },
    leakKey(binding, key, at) {
      if (!binding.leakedKeys.has(key)) binding.leakedKeys.set(key, reason(at));
      affect(world, binding);
    },
    hidden(at) {
      world.hidden ??= why(reading, at, "hidden");
    },
    text: (code, at, scope) => readText(code, at, scope, reading),
    self: (key, at) => ofItself(key, reason(at), reading),
  };
}

/** Whatever a function is called as a method of; the configuration too. */
function ofItself(key: string | undefined, cause: Why, { world }: Reading): void {
  if (key === undefined) world.selfEscapes ??= cause;
  else if (!world.selfKeys.has(key)) world.selfKeys.set(key, cause);
}

/** For code that may run here and now, once, several times or not at all. */
export function perhapsNow(reading: Reading, reason: Reason): Effects {
  const { world } = reading;
  const cause = (at: Node) => why(reading, at, reason);
  return {
    write(binding, at) {
      store(world, binding, unknown(cause(at)));
    },
    leak(binding, at) {
      spoil(binding.value, why(reading, at, "handed-on"));
      if (binding.value?.kind === "window") world.windowEscapes ??= cause(at);
    },
    writeKey({ value }, key, at) {
      if (value?.kind === "list") spoil(value, cause(at));
      if (value?.kind !== "thing") return;
      const stretch = cause(at).at;
      if (key === "__proto__") value.rest ??= why(reading, at, "prototype");
      value.entries.set(key, { value: unknown(cause(at)), name: stretch, written: stretch });
    },
    leakKey({ value }, key, at) {
      if (value?.kind === "list") spoil(value, why(reading, at, "changed"));
      if (value?.kind === "thing")
        spoil(value.entries.get(key)?.value, why(reading, at, "changed"));
    },
    hidden(at) {
      world.hidden ??= why(reading, at, "hidden");
    },
    text: (code, at, scope) => readText(code, at, scope, reading),
    self(key, at) {
      ofItself(key, cause(at), reading);
      spoil((reading as Partial<Stage>).self, cause(at));
    },
  };
}

/** With what each node stands in. */
function within(program: Node): [Node, Node | undefined][] {
  const all: [Node, Node | undefined][] = [[program, undefined]];
  // The list grows while it is gone through.
  for (const [node] of all) for (const child of childrenOf(node)) all.push([child, node]);
  return all;
}

/** Code in a text is read like any other; places within it are those of the call. */
function readText(code: string, at: Node, scope: Scope, reading: Reading): void {
  const { world } = reading;
  try {
    const program = parseText(code, { ecmaVersion: "latest", allowReturnOutsideFunction: true });
    const effects = atAnyTime(reading);
    const inText = { ...reading, script: { ...reading.script } };
    for (const [node, parent] of within(program)) noteAll(node, parent, inText);
    const here = (fn: (binding: Binding, key: string, at: Node) => void) => {
      return (binding: Binding, key: string) => fn(binding, key, at);
    };
    sweep(program, "read", scope, reading, {
      write: (binding) => effects.write(binding, at),
      leak: (binding) => effects.leak(binding, at),
      writeKey: here((...all) => effects.writeKey(...all)),
      leakKey: here((...all) => effects.leakKey(...all)),
      hidden: () => effects.hidden(at),
      text: () => effects.hidden(at),
      self: (key) => effects.self(key, at),
    });
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    world.hidden ??= why(reading, at, "hidden");
  }
}
