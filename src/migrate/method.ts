// Methods of texts and lists that change nothing → what they give; undefined for every other method.
import type { CallExpression, Expression, Node } from "acorn";
import { costOf, spend } from "./budget.js";
import { fold } from "./fold.js";
import { property } from "./property.js";
import { openMethod, truth } from "./open-text.js";
import type { Function as FunctionNode } from "acorn";
import type { Scope } from "./scope.js";
import { plain, type List, type Plain, type Value } from "./value.js";
import { LARGEST, store, type Stage } from "./world.js";

/** Each counts against what one run may compute, in what it looks at and in what it makes. */
export function callMethod(
  receiver: Value,
  method: string,
  given: readonly Value[],
  node: CallExpression,
  stage: Stage,
): Value | undefined {
  if (
    !spend(
      given.reduce((sum, each) => sum + costOf(each), costOf(receiver)),
      node,
      stage,
    )
  ) {
    return undefined;
  }
  const result = called(receiver, method, given, node, stage);
  return spend(costOf(result), node, stage) ? result : undefined;
}

function called(
  receiver: Value,
  method: string,
  given: readonly Value[],
  node: CallExpression,
  stage: Stage,
): Value | undefined {
  if (receiver.kind === "location" && method === "toString") {
    return property(receiver, "href", node, stage);
  }
  if (receiver.kind === "list") {
    if (receiver.spoiled || (receiver.hasHoles && method !== "join")) return undefined;
    return method === "filter"
      ? filtered(receiver, given, stage)
      : listMethod(receiver, method, given);
  }
  const plains = given.filter((each): each is Plain => each.kind === "plain");
  if (plains.length !== given.length) return undefined;
  const values = plains.map(({ value }) => value);
  if (receiver.kind === "open-text") {
    const isFit = values.every((each) => typeof each === "string" || typeof each === "number");
    return isFit ? openMethod(receiver, method, values) : undefined;
  }
  if (receiver.kind !== "plain" || typeof receiver.value !== "string") return undefined;
  const isAssumed = receiver.isAssumed || plains.some((each) => each.isAssumed);
  return textMethod(receiver.value, method, values, isAssumed);
}

function textMethod(
  text: string,
  method: string,
  given: readonly Plain["value"][],
  isAssumed: boolean,
): Value | undefined {
  const [first, second] = given;
  const isIndex = (each: Plain["value"]) => typeof each === "number" || each === undefined;
  if (given.length > 2) return undefined;
  switch (method) {
    case "toString":
    case "valueOf":
      return plain(text, isAssumed);
    case "toLowerCase":
      return plain(text.toLowerCase(), isAssumed);
    case "toUpperCase":
      return plain(text.toUpperCase(), isAssumed);
    case "trim":
      return plain(text.trim(), isAssumed);
    case "concat": {
      const whole = text + given.map(String).join("");
      return whole.length > LARGEST ? undefined : plain(whole, isAssumed);
    }
    case "charAt":
    case "substring":
    case "substr":
    case "slice": {
      if (!isIndex(first) || !isIndex(second)) return undefined;
      const [from, to] = [first ?? 0, second];
      if (method === "charAt") return plain(text.charAt(from), isAssumed);
      if (method === "substring") return plain(text.substring(from, to), isAssumed);
      if (method === "slice") return plain(text.slice(from, to), isAssumed);
      // oxlint-disable-next-line typescript/no-deprecated -- the script calls it
      return plain(text.substr(from, to), isAssumed);
    }
    case "indexOf":
    case "lastIndexOf":
      if (typeof first !== "string" || second !== undefined) return undefined;
      return plain(text[method](first), isAssumed);
    case "startsWith":
    case "endsWith":
    case "includes":
      if (typeof first !== "string" || second !== undefined) return undefined;
      return plain(text[method](first), isAssumed);
    case "split":
      if (typeof first !== "string" || given.length !== 1) return undefined;
      return { kind: "list", items: text.split(first).map((each) => plain(each, isAssumed)) };
    case "replace": {
      // A "$" in what is put there has a meaning of its own.
      if (typeof first !== "string" || typeof second !== "string" || second.includes("$")) {
        return undefined;
      }
      return plain(text.replace(first, second), isAssumed);
    }
    default:
      return undefined;
  }
}

function listMethod(list: List, method: string, given: readonly Value[]): Value | undefined {
  const { items, isOpen } = list;
  switch (method) {
    case "concat": {
      if (isOpen) return undefined;
      const all = [...items];
      for (const each of given) {
        if (each.kind === "list") {
          if (each.spoiled || each.isOpen || each.hasHoles) return undefined;
          for (const item of each.items) all.push(item);
          // A function or an object can say that it is to be spread.
        } else if (each.kind === "plain" || each.kind === "thing") all.push(each);
        else return undefined;
        if (all.length > LARGEST) return undefined;
      }
      return { kind: "list", items: all };
    }
    case "slice": {
      const [from = plain(undefined), to = plain(undefined)] = given;
      if (isOpen || from.kind !== "plain" || to.kind !== "plain") return undefined;
      const isIndex = [from.value, to.value].every(
        (each) => typeof each === "number" || each === undefined,
      );
      if (!isIndex) return undefined;
      const [start, end] = [from.value as number | undefined, to.value as number | undefined];
      return { kind: "list", items: items.slice(start, end) };
    }
    case "join": {
      const [separator = plain(",")] = given;
      const texts = items.flatMap((each) => (each.kind === "plain" ? [each] : []));
      if (isOpen || separator.kind !== "plain" || texts.length !== items.length) return undefined;
      const sign = separator.value === undefined ? "," : String(separator.value);
      const joined = texts.map(({ value }) => String(value ?? "")).join(sign);
      const isAssumed = separator.isAssumed || texts.some((each) => each.isAssumed);
      return joined.length > LARGEST ? undefined : plain(joined, isAssumed);
    }
    default:
      return undefined;
  }
}

/** With a function of one expression, such as the one that drops the empty parts of a path. */
function filtered(list: List, given: readonly Value[], stage: Stage): Value | undefined {
  const [by] = given;
  if (by?.kind !== "code" || given.length !== 1) return undefined;
  const { params, body, async, generator, id } = by.node as FunctionNode;
  if (async || generator || id) return undefined;
  const [param, second] = params;
  const result = resultOf(body);
  const scope = stage.scopes.get(by.node);
  if (param?.type !== "Identifier" || second || !result || !scope || !isPure(result)) {
    return undefined;
  }
  const name = (param as Node & { name: string }).name;
  // A long condition is as much work as many short ones.
  const steps = list.items.length * (1 + (body.end - body.start) / 50);
  if (!spend(steps, by.node, stage)) return undefined;
  const kept: Value[] = [];
  for (const item of list.items) {
    const isKept = truth(withParameter(item, name, result, scope, stage));
    // From here on it is not known which item stands where.
    if (isKept === undefined) {
      const cause = "why" in item ? item.why : list.isOpen;
      return cause && { kind: "list", items: kept, isOpen: cause };
    }
    if (isKept) kept.push(item);
  }
  return { kind: "list", items: kept, ...(list.isOpen && { isOpen: list.isOpen }) };
}

function withParameter(
  item: Value,
  name: string,
  result: Expression,
  scope: Scope,
  stage: Stage,
): Value {
  const held = scope.names.get(name);
  if (!held || held.volatile)
    return { kind: "unknown", why: { reason: "call", at: stageAt(result, stage) } };
  const outer = stage.scope;
  stage.scope = scope;
  store(stage.world, held, item);
  try {
    return fold(result, stage);
  } finally {
    stage.scope = outer;
  }
}

function stageAt({ start, end }: Node, { script }: Stage) {
  return { script, start, end };
}

function resultOf(body: Node): Expression | undefined {
  if (body.type !== "BlockStatement") return body as Expression;
  const [only, more] = (body as Node & { body: Node[] }).body;
  return only?.type === "ReturnStatement" && !more
    ? ((only as Node & { argument: Expression | null }).argument ?? undefined)
    : undefined;
}

/** It only looks at its parameter. */
function isPure(node: Expression): boolean {
  switch (node.type) {
    case "Identifier":
    case "Literal":
      return true;
    case "MemberExpression":
      return !node.computed && node.object.type !== "Super" && isPure(node.object);
    case "UnaryExpression":
      return node.operator !== "delete" && isPure(node.argument);
    case "BinaryExpression":
    case "LogicalExpression":
      return node.left.type !== "PrivateIdentifier" && isPure(node.left) && isPure(node.right);
    default:
      return false;
  }
}
