// A whole program, before it is read in order → what functions in it may do to its variables at any time.
import type { AnyNode, Node } from "acorn";
import { parse as parseText } from "acorn";
import { calledFunction, chainOf } from "./chain.js";
import { sweep, type Effects, type Reading } from "./effects.js";
import { isFunctionNode, type Binding, type Scope } from "./scope.js";
import { spoil, unknown, type Reason, type Why } from "./value.js";
import { affect, store, why } from "./world.js";
import { childrenOf, isLeaf } from "./walk.js";

export function survey(program: Node, reading: Reading): void {
  const { scopes } = reading;
  const called = new Set<Node>();
  const left: { node: Node; scope: Scope | undefined }[] = [
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
    notePatches(node as AnyNode, reading);
    for (const child of childrenOf(node)) if (!isLeaf(child)) left.push({ node: child, scope });
  }
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
  };
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
  };
}

/** Code in a text is read like any other; places within it are those of the call. */
function readText(code: string, at: Node, scope: Scope, reading: Reading): void {
  const { world } = reading;
  try {
    const program = parseText(code, { ecmaVersion: "latest", allowReturnOutsideFunction: true });
    const effects = atAnyTime(reading);
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
    });
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    world.hidden ??= why(reading, at, "hidden");
  }
}

/** Whoever changes what all lists, texts or objects inherit changes what every line means. */
function notePatches(node: AnyNode, reading: Reading): void {
  const { world } = reading;
  const note = (each: Node, isTarget: boolean): void => {
    const { root, keys } = chainOf(each);
    const at = keys.findIndex((key) => key === "prototype" || key === "__proto__");
    if (at === -1 || (!isTarget && at !== keys.length - 1)) return;
    const cause: Why = why(reading, each, "prototype");
    world.patchedMethods ??= cause;
    const { name } = root as Node & { name?: string };
    if (keys[at] === "__proto__" || name === "Object") world.patchedObjects ??= cause;
  };
  switch (node.type) {
    case "AssignmentExpression":
      note(node.left, true);
      note(node.right, false);
      break;
    case "UpdateExpression":
      note(node.argument, true);
      break;
    case "UnaryExpression":
      if (node.operator === "delete") note(node.argument, true);
      break;
    case "VariableDeclarator":
      if (node.init) note(node.init, false);
      break;
    case "Property":
      note(node.value, false);
      break;
    case "CallExpression":
    case "NewExpression":
      for (const each of node.arguments) note(each, false);
      break;
    default:
  }
}
