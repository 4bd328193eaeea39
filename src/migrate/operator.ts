// Operators and the values on both sides → what they give; nothing of the script runs for it.
import type { Node } from "acorn";
import { property } from "./property.js";
import { compareParts, truth } from "./open-text.js";
import { plain, unknown, whyOf, type Plain, type Value } from "./value.js";
import { LARGEST, mayEnd, why, type Stage } from "./world.js";

export function binary(
  operator: string,
  left: Value,
  right: Value,
  node: Node,
  stage: Stage,
): Value {
  if (left.kind === "plain" && right.kind === "plain") {
    if (operator === "in" || operator === "instanceof") mayEnd(stage);
    return computed(operator, left, right) ?? unknown(why(stage, node, "form"));
  }
  // A text or a number is wanted of it, by a method that may fail.
  if (stage.world.mayThrow) mayEnd(stage);
  const isAssumed = [left, right].some((each) => each.kind === "plain" && each.isAssumed);
  const compared = compareParts(operator, left, right);
  if (compared !== undefined) return plain(compared, isAssumed);
  if (operator === "+" && left.kind === "open-text") return left;
  if (operator === "+" && left.kind === "plain" && right.kind === "open-text") {
    return { ...right, text: `${String(left.value)}${right.text}` };
  }
  if (operator === "+" && left.kind === "location" && right.kind === "plain") {
    return property(left, "href", node, stage);
  }
  return unknown(whyOf(left, right) ?? why(stage, node, "form"));
}

function computed(operator: string, left: Plain, right: Plain): Value | undefined {
  const isAssumed = left.isAssumed || right.isAssumed;
  const result = operate(operator, left.value, right.value);
  if (result === undefined) return undefined;
  return typeof result === "string" && result.length > LARGEST
    ? undefined
    : plain(result, isAssumed);
}

/** Both are no objects, so that nothing of the script runs when they meet. */
// oxlint-disable eqeqeq -- the script's own comparisons are carried out as it says them
function operate(operator: string, l: Plain["value"], r: Plain["value"]): Plain["value"] {
  const [left, right] = [l as number, r as number];
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    case "**":
      return left ** right;
    case "==":
      return left == right;
    case "!=":
      return left != right;
    case "===":
      return left === right;
    case "!==":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    case "|":
      return left | right;
    case "&":
      return left & right;
    case "^":
      return left ^ right;
    case "<<":
      return left << right;
    case ">>":
      return left >> right;
    case ">>>":
      return left >>> right;
    default:
      return undefined;
  }
}
// oxlint-enable eqeqeq

export function unary(operator: string, value: Value, node: Node, stage: Stage): Value {
  if (operator === "void") return plain(undefined);
  if (operator === "!") {
    const isTrue = truth(value);
    const isAssumed = value.kind === "plain" && value.isAssumed;
    if (isTrue !== undefined) return plain(!isTrue, isAssumed);
  } else if (operator === "typeof") {
    if (value.kind === "plain") {
      return plain(value.value === null ? "object" : typeof value.value, value.isAssumed);
    }
    if (value.kind === "open-text") return plain("string");
    if (value.kind === "at-least") return plain("number");
    if (value.kind === "code") return plain("function");
    const isThere = value.kind !== "unknown" && !(value.kind === "thing" && value.isAssumed);
    if (isThere) return plain("object");
  } else if (value.kind === "plain") {
    const number = Number(value.value);
    if (operator === "-") return plain(-number, value.isAssumed);
    if (operator === "+") return plain(number, value.isAssumed);
    if (operator === "~") return plain(~number, value.isAssumed);
  }
  return unknown(whyOf(value) ?? why(stage, node, "form"));
}
