// An expression that is certain to be computed here and now → its value, as far as the file alone tells it.
import type { BinaryExpression, Expression, Node, PrivateIdentifier, TemplateLiteral } from "acorn";
import { assign, remove, update } from "./assign.js";
import { call } from "./call.js";
import { keyOf, WINDOW_NAMES } from "./chain.js";
import { list, literal } from "./container.js";
import { sweep } from "./effects.js";
import { RUNS_TEXT } from "./hidden.js";
import { locationPart } from "./location.js";
import { openProperty, truth } from "./open-text.js";
import { binary, unary } from "./operator.js";
import { globalNamed, lookUp } from "./scope.js";
import { perhapsNow } from "./survey.js";
import { plain, spoil, unknown, whyOf, type Reason, type Value } from "./value.js";
import { readKey, whatHolds, why, type Stage } from "./world.js";

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
  sweep(node, "escape", stage.scope, stage, perhapsNow(stage, reason));
  return unknown(why(stage, node, reason));
}

function folded(node: Expression, stage: Stage): Value {
  switch (node.type) {
    case "Literal":
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
        perhaps(node.right, stage, "condition");
        return unknown(whyOf(left) ?? why(stage, node, "condition"));
      }
      return decision ? under(node.right, stage, left) : left;
    }
    case "ConditionalExpression": {
      const test = fold(node.test, stage);
      const isTrue = truth(test);
      if (isTrue === undefined) {
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

/** Whether the right side is what counts; undefined where that is not known. */
export function decide(operator: string, left: Value): boolean | undefined {
  if (operator !== "??") {
    const isTrue = truth(left);
    return isTrue === undefined ? undefined : isTrue === (operator === "&&");
  }
  if (left.kind === "unknown") return undefined;
  return left.kind === "plain" && (left.value === null || left.value === undefined);
}

/** A branch that is known to be taken. */
function under(node: Expression, stage: Stage, because: Value): Value {
  stage.conditions++;
  try {
    const value = fold(node, stage);
    const isAssumed = because.kind === "plain" && because.isAssumed;
    return isAssumed && value.kind === "plain" ? plain(value.value, true) : value;
  } finally {
    stage.conditions--;
  }
}

function named(name: string, node: Node, stage: Stage): Value {
  const { globals } = stage.world;
  const found = lookUp(name, stage.scope, globals);
  const held = whatHolds(found);
  if (held) return held;
  if (found !== globals.names.get(name)) return plain(undefined);
  return windowProperty(name, node, stage);
}

/** What the browser itself puts there. */
function windowProperty(name: string, node: Node, stage: Stage): Value {
  if (WINDOW_NAMES.has(name)) return { kind: "window" };
  // Under another name it could no longer be told from other functions.
  if (RUNS_TEXT.has(name)) stage.world.hidden ??= why(stage, node, "hidden");
  if (name === "undefined") return plain(undefined);
  if (name === "NaN" || name === "Infinity") return plain(Number(name));
  if (name === "location" || name === "document") return { kind: name };
  return unknown(why(stage, node, name === "navigator" ? "browser" : "name"));
}

export function property(held: Value, key: string | undefined, node: Node, stage: Stage): Value {
  const here = (reason: Reason) => why(stage, node, reason);
  switch (held.kind) {
    case "unknown":
      return held;
    case "window": {
      if (key === undefined) return unknown(here("key"));
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
      return held.isOpen || !/^\d+$/.test(key)
        ? unknown(held.isOpen ?? here("form"))
        : plain(undefined);
    }
    case "open-text":
      return key === undefined ? unknown(held.why) : openProperty(held, key);
    case "plain": {
      if (typeof held.value !== "string" || key === undefined) return unknown(here("form"));
      if (key === "length") return plain(held.value.length, held.isAssumed);
      if (!/^(?:0|[1-9]\d*)$/.test(key)) return unknown(here("form"));
      return plain(held.value[Number(key)], held.isAssumed);
    }
    default:
      return unknown(here("form"));
  }
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
