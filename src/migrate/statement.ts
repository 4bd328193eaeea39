// Statements in the order in which they run → what they leave behind; what may or may not run leaves nothing known.
import type { BlockStatement, Node, Program, Statement, TryStatement } from "acorn";
import { declare } from "./assign.js";
import { sweep } from "./effects.js";
import { DEEPEST, fold } from "./fold.js";
import { fails } from "./reach.js";
import { truth } from "./open-text.js";
import { isFunctionNode, lookUp } from "./scope.js";
import { perhapsNow } from "./survey.js";
import { byProtocol, plain, spoil, unknown, type Reason, type Value } from "./value.js";
import { store, why, type Stage } from "./world.js";
import { childrenOf } from "./walk.js";

/** How a stretch of statements ends: they go on, they surely or perhaps do not. */
interface End {
  readonly goesOn: "yes" | "no" | "perhaps";
  /** Not only the function that they stand in ends, but the whole script. */
  readonly endsAll?: boolean;
  readonly result?: Value;
}

const ON: End = { goesOn: "yes" };

export function readScript(program: Program, stage: Stage): void {
  readAll(program.body as Statement[], stage);
}

/** Gives what the function returns. */
export function readBody(body: BlockStatement, stage: Stage): Value {
  const end = readAll(body.body, stage);
  if (end.endsAll) stage.isOver = end.goesOn === "no" ? "yes" : "perhaps";
  if (end.goesOn === "yes") return plain(undefined);
  if (end.goesOn === "no") return end.result ?? plain(undefined);
  spoil(end.result, why(stage, body, "unreached"));
  return unknown(why(stage, body, "condition"));
}

function readAll(statements: readonly Statement[], stage: Stage): End {
  hoist(statements, stage);
  for (const [at, each] of statements.entries()) {
    const end = read(each, stage);
    if (end.goesOn === "no") return end;
    const isOver = stage.isOver;
    if (isOver === "yes") return { goesOn: "no", endsAll: true };
    if (end.goesOn === "perhaps" || isOver === "perhaps") {
      for (const rest of statements.slice(at + 1)) perhapsRead(rest, stage, "unreached");
      return { ...end, goesOn: "perhaps" };
    }
  }
  return ON;
}

/** Functions are there before the first statement runs. */
function hoist(statements: readonly Statement[], stage: Stage): void {
  for (const each of statements) {
    if (each.type !== "FunctionDeclaration") continue;
    const held = lookUp(each.id.name, stage.scope, stage.world.globals);
    store(stage.world, held, { kind: "code", node: each });
  }
}

function read(node: Statement, stage: Stage): End {
  if (stage.depth >= DEEPEST) return perhapsRead(node, stage, "depth");
  stage.depth++;
  try {
    return readOne(node, stage);
  } finally {
    stage.depth--;
  }
}

function readOne(node: Statement, stage: Stage): End {
  switch (node.type) {
    case "ExpressionStatement":
      fold(node.expression, stage);
      return ON;
    case "VariableDeclaration":
      for (const { id, init } of node.declarations) {
        if (init) declare(id, init, stage);
        else if (node.kind !== "var" && id.type === "Identifier") {
          // Until then it cannot even be looked at.
          store(stage.world, lookUp(id.name, stage.scope, stage.world.globals), plain(undefined));
        }
      }
      return ON;
    case "FunctionDeclaration":
    case "EmptyStatement":
    case "DebuggerStatement":
      return ON;
    case "BlockStatement":
      return inScope(node, stage, () => readAll(node.body, stage));
    case "IfStatement": {
      const test = fold(node.test, stage);
      const isTrue = truth(test);
      if (isTrue === undefined) {
        const ends = [node.consequent, ...(node.alternate ? [node.alternate] : [])].map((each) =>
          perhapsRead(each, stage, "condition"),
        );
        return ends.find((end) => end.endsAll) ?? ends.find((end) => end.goesOn !== "yes") ?? ON;
      }
      const taken = isTrue ? node.consequent : node.alternate;
      stage.conditions++;
      try {
        return taken ? read(taken, stage) : ON;
      } finally {
        stage.conditions--;
        if (test.kind === "plain" && test.isAssumed) noteProtocol(node, stage);
      }
    }
    case "ReturnStatement":
      return {
        goesOn: "no",
        result: node.argument ? fold(node.argument, stage) : plain(undefined),
      };
    case "ThrowStatement":
      fold(node.argument, stage);
      return { goesOn: "no", endsAll: true };
    case "ForStatement":
    case "WhileStatement":
    case "DoWhileStatement": {
      const end = perhapsRead(node, stage, "loop");
      // What stands behind a loop without an end never runs.
      const isEndless = !node.test || (node.test.type === "Literal" && Boolean(node.test.value));
      return isEndless && !leaves(node) ? { goesOn: "perhaps", endsAll: true } : end;
    }
    case "ForInStatement":
    case "ForOfStatement":
      return perhapsRead(node, stage, "loop");
    case "TryStatement":
      return perhapsRead(node, stage, "try");
    case "SwitchStatement":
    case "WithStatement":
    case "LabeledStatement":
      return perhapsRead(node, stage, "condition");
    default:
      return perhapsRead(node, stage, "form");
  }
}

/** What either branch sets goes by the protocol, and so does all that follows where one of them leaves. */
function noteProtocol(node: Statement, stage: Stage): void {
  const mark = (value: Value | undefined) => value && byProtocol(value);
  const { returns, throws } = exitsOf(node);
  if (returns || throws) stage.world.isByProtocol = true;
  sweep(node, "read", stage.scope, stage, {
    write: (held) => {
      if (held.value) held.value = byProtocol(held.value);
    },
    writeKey({ value }, key) {
      const entry = value?.kind === "thing" ? value.entries.get(key) : undefined;
      if (entry && value?.kind === "thing")
        value.entries.set(key, { ...entry, value: byProtocol(entry.value) });
    },
    leak: ({ value }) => mark(value),
    leakKey: ({ value }) => mark(value),
    hidden: () => {},
    text: () => {},
    self: () => {},
  });
}

function inScope(node: Node, stage: Stage, work: () => End): End {
  const outer = stage.scope;
  stage.scope = stage.scopes.get(node) ?? outer;
  try {
    return work();
  } finally {
    stage.scope = outer;
  }
}

/** It may run or not, or more than once. */
function perhapsRead(node: Statement, stage: Stage, reason: Reason): End {
  sweep(node, "read", stage.scope, stage, perhapsNow(stage, reason));
  const exits = exitsOf(node);
  if (exits.throws || (stage.world.mayThrow && exits.calls))
    return { goesOn: "perhaps", endsAll: true };
  return exits.returns ? { goesOn: "perhaps" } : ON;
}

interface Exits {
  readonly returns: boolean;
  readonly throws: boolean;
  readonly calls: boolean;
}

/** Statements in it that end more than itself. */
function exitsOf(node: Node): Exits {
  const found = { returns: false, throws: false, calls: false };
  const left = [node];
  for (let each = left.pop(); each; each = left.pop()) {
    if (isFunctionNode(each)) continue;
    if (each.type === "ReturnStatement" || each.type === "BreakStatement") {
      found.returns ||= each.type === "ReturnStatement";
    }
    // What is caught ends nothing, but what is returned ends the function there as well.
    if (each.type === "TryStatement") {
      const { block, handler, finalizer } = each as TryStatement;
      if (handler) {
        found.returns ||= exitsOf(block).returns;
        left.push(handler, ...(finalizer ? [finalizer] : []));
        continue;
      }
    }
    if (each.type === "ThrowStatement" || fails(each)) found.throws = true;
    if (/^(?:Call|New|TaggedTemplate|Class)/.test(each.type)) found.calls = true;
    left.push(...childrenOf(each));
  }
  return found;
}

/** Whether anything in a loop leads out of it. */
function leaves(loop: Node): boolean {
  const left = [...childrenOf(loop)];
  for (let each = left.pop(); each; each = left.pop()) {
    if (/^(?:Break|Return|Throw)Statement$/.test(each.type)) return true;
    if (!isFunctionNode(each)) left.push(...childrenOf(each));
  }
  return false;
}
