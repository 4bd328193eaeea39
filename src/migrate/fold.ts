// An expression that is certain to be computed here and now → its value, as far as the file alone tells it.
import type { BinaryExpression, Expression, Node, PrivateIdentifier, TemplateLiteral } from "acorn";
import { assign, remove, update } from "./assign.js";
import { call } from "./call.js";
import { keyOf } from "./chain.js";
import { list, literal } from "./container.js";
import { sweep } from "./effects.js";
import { fails } from "./reach.js";
import { truth } from "./open-text.js";
import { binary, unary } from "./operator.js";
import { holdsNothing, property, windowProperty } from "./property.js";
import { lookUp } from "./scope.js";
import { perhapsNow } from "./survey.js";
import { byProtocol, plain, spoil, unknown, whyOf, type Reason, type Value } from "./value.js";
import { mayEnd, whatHolds, why, type Stage } from "./world.js";

/** What nests deeper is not computed, but still looked through for what it may change. */
export const DEEPEST = 200;

export function fold(node: Expression, stage: Stage): Value {
  if (stage.depth >= DEEPEST) return perhaps(node, stage, "depth");
  stage.depth++;
  try {
    return folded(node, stage);
  } finally {
    stage.depth--;
  }
}

/** Not computed here: whatever it may change is unknown from here on, and so is what it gives. */
export function perhaps(node: Node, stage: Stage, reason: Reason): Value {
  if (stage.world.mayThrow || fails(node)) mayEnd(stage);
  sweep(node, "escape", stage.scope, stage, perhapsNow(stage, reason));
  return unknown(why(stage, node, reason));
}

function folded(node: Expression, stage: Stage): Value {
  switch (node.type) {
    case "Literal":
      // Together with other numbers it fails.
      if (node.bigint) mayEnd(stage);
      return node.regex || typeof node.value === "bigint" || typeof node.value === "object"
        ? node.value === null && !node.regex && node.bigint === undefined
          ? plain(null)
          : unknown(why(stage, node, "form"))
        : plain(node.value);
    case "Identifier":
      return named(node.name, node, stage);
    case "ThisExpression":
      return stage.self;
    case "TemplateLiteral":
      return template(node, stage);
    case "ArrayExpression":
      return list(node, stage);
    case "ObjectExpression":
      return literal(node, stage);
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return { kind: "code", node };
    case "SequenceExpression": {
      let last: Value = plain(undefined);
      for (const each of node.expressions) last = fold(each, stage);
      return last;
    }
    case "UnaryExpression":
      if (node.operator === "delete") return remove(node, stage);
      return unary(node.operator, fold(node.argument, stage), node, stage);
    case "BinaryExpression":
      return binaryChain(node, stage);
    case "LogicalExpression": {
      const left = fold(node.left, stage);
      const decision = decide(node.operator, left);
      if (decision === undefined) {
        return either(left, node.right, node, stage);
      }
      return decision ? under(node.right, stage, left) : left;
    }
    case "ConditionalExpression": {
      const test = fold(node.test, stage);
      const isTrue = truth(test);
      if (isTrue === undefined) {
        // The test is an expression of its own, and what it gives goes nowhere.
        perhaps(node.consequent, stage, "condition");
        perhaps(node.alternate, stage, "condition");
        return unknown(whyOf(test) ?? why(stage, node, "condition"));
      }
      return under(isTrue ? node.consequent : node.alternate, stage, test);
    }
    case "AssignmentExpression":
      return assign(node, stage);
    case "UpdateExpression":
      return update(node, stage);
    case "MemberExpression": {
      const held = fold(node.object as Expression, stage);
      if (holdsNothing(node.object, stage)) mayEnd(stage);
      const key = keyOf(node) ?? plainKey(fold(node.property as Expression, stage));
      return property(held, key, node, stage);
    }
    case "ChainExpression":
      // What stands behind "?." may not be computed at all.
      return perhaps(node, stage, "form");
    case "CallExpression":
      return call(node, stage);
    default:
      return perhaps(node, stage, node.type === "NewExpression" ? "call" : "form");
  }
}

/** It is not known which side counts: what another file may have defined, or else what stands here instead. */
export function either(left: Value, right: Expression, node: Node, stage: Stage): Value {
  const cause = why(stage, node, "condition");
  const isDefault = left.kind === "thing" && left.isAssumed && right.type === "ObjectExpression";
  if (!isDefault) {
    spoil(left, cause);
    perhaps(right, stage, "condition");
    return unknown(whyOf(left) ?? cause);
  }
  const made = fold(right, stage);
  spoil(made, cause);
  if (made.kind !== "thing") return unknown(cause);
  for (const [key, entry] of made.entries) {
    if (!left.entries.has(key)) left.entries.set(key, { ...entry, value: unknown(cause) });
  }
  for (const [key, reason] of made.spoiledKeys) left.spoiledKeys.set(key, reason);
  return left;
}

/** Whether the right side is what counts; undefined where that is not known. */
export function decide(operator: string, left: Value): boolean | undefined {
  if (operator !== "??") {
    const isTrue = truth(left);
    return isTrue === undefined ? undefined : isTrue === (operator === "&&");
  }
  if (left.kind === "unknown" || (left.kind === "thing" && left.isAssumed)) return undefined;
  return left.kind === "plain" && (left.value === null || left.value === undefined);
}

/** A branch that is known to be taken. */
function under(node: Expression, stage: Stage, because: Value): Value {
  stage.conditions++;
  try {
    const value = fold(node, stage);
    const isAssumed = because.kind === "plain" && because.isAssumed;
    return isAssumed ? byProtocol(value) : value;
  } finally {
    stage.conditions--;
  }
}

function named(name: string, node: Node, stage: Stage): Value {
  const { globals } = stage.world;
  const found = lookUp(name, stage.scope, globals);
  const held = whatHolds(found);
  if (held) return held;
  if (found !== globals.names.get(name)) {
    if (found.declared === "var") return plain(undefined);
    mayEnd(stage);
    return unknown(why(stage, node, "unreached"));
  }
  return windowProperty(name, node, stage);
}

/** A value as the name of a property; undefined where it is not known. */
export function plainKey(value: Value): string | undefined {
  return value.kind === "plain" ? String(value.value) : undefined;
}

function template({ quasis, expressions }: TemplateLiteral, stage: Stage): Value {
  let whole: Value = plain(quasis[0]?.value.cooked ?? "");
  for (const [at, each] of expressions.entries()) {
    const text = asText(fold(each, stage), each, stage);
    const next = plain(quasis[at + 1]?.value.cooked ?? "");
    whole = binary("+", binary("+", whole, text, each, stage), next, each, stage);
  }
  return whole;
}

/** What is put into a text becomes one, as 1 becomes "1". */
function asText(value: Value, node: Node, stage: Stage): Value {
  if (value.kind === "plain") return plain(String(value.value), value.isAssumed);
  return binary("+", plain(""), value, node, stage);
}

/** A long sum leans to the left, so it is computed from there without descending into it. */
function binaryChain(node: BinaryExpression, stage: Stage): Value {
  const pending: BinaryExpression[] = [];
  let first: Expression | PrivateIdentifier = node;
  while (first.type === "BinaryExpression") {
    pending.push(first);
    first = first.left;
  }
  let value: Value =
    first.type === "PrivateIdentifier" ? unknown(why(stage, first, "form")) : fold(first, stage);
  for (const each of pending.toReversed()) {
    value = binary(each.operator, value, fold(each.right, stage), each, stage);
  }
  return value;
}
