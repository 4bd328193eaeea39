// An assignment that is certain to be carried out → what holds its value from then on.
import type {
  AssignmentExpression,
  Expression,
  MemberExpression,
  Node,
  Pattern,
  UnaryExpression,
  UpdateExpression,
} from "acorn";
import { keyOf } from "./chain.js";
import { sweep } from "./effects.js";
import { decide, either, fold, perhaps, plainKey } from "./fold.js";
import { property } from "./property.js";
import { binary } from "./operator.js";
import { globalNamed, lookUp, namesIn, type Binding } from "./scope.js";
import { perhapsNow } from "./survey.js";
import { plain, spoil, unknown, type Thing, type Value } from "./value.js";
import { mayEnd, store, USUAL_NAME, whatHolds, why, writeKey, type Stage } from "./world.js";

/** What is assigned to, with what it stands in computed already, as the language does. */
type Target =
  | { readonly kind: "variable"; readonly binding: Binding }
  | {
      readonly kind: "key";
      readonly held: Value;
      readonly key: string | undefined;
      /** By another name than the usual one. */
      readonly isByAlias: boolean;
    };

export function assign(node: AssignmentExpression, stage: Stage): Value {
  const { operator, left, right } = node;
  if (left.type !== "Identifier" && left.type !== "MemberExpression") {
    const value = fold(right, stage);
    const { globals } = stage.world;
    const isConst = (name: string) => lookUp(name, stage.scope, globals).declared === "const";
    if (namesIn(left).some(isConst)) mayEnd(stage);
    takeApart(value, left, stage);
    return value;
  }
  const target = targetOf(left, stage);
  if (operator === "=") {
    const value = fold(right, stage);
    put(target, value, node, right, stage);
    return value;
  }
  const before = currently(target, left, stage);
  if (operator === "&&=" || operator === "||=" || operator === "??=") {
    const takesRight = decide(operator.slice(0, -1), before);
    if (takesRight === false) return before;
    const value = takesRight ? fold(right, stage) : either(before, right, node, stage);
    if (value === before) return value;
    put(target, value, node, right, stage);
    return value;
  }
  const value = binary(operator.slice(0, -1), before, fold(right, stage), node, stage);
  put(target, value, node, node, stage);
  return value;
}

export function update(node: UpdateExpression, stage: Stage): Value {
  const { argument } = node;
  if (argument.type !== "Identifier" && argument.type !== "MemberExpression") {
    return perhaps(node, stage, "form");
  }
  const target = targetOf(argument, stage);
  const before = currently(target, argument, stage);
  const number = before.kind === "plain" ? plain(Number(before.value), before.isAssumed) : before;
  const after = binary(node.operator === "++" ? "+" : "-", number, plain(1), node, stage);
  put(target, after, node, node, stage);
  return node.prefix ? after : number;
}

export function remove(node: UnaryExpression, stage: Stage): Value {
  if (node.argument.type !== "MemberExpression") return perhaps(node, stage, "form");
  const target = targetOf(node.argument, stage);
  put(target, unknown(why(stage, node, "deleted")), node, node, stage);
  return plain(true);
}

/** Every name in a pattern holds what cannot be told. */
export function setPattern(pattern: Pattern, stage: Stage): void {
  sweep(pattern, "write", stage.scope, stage, perhapsNow(stage, "form"));
}

/** A variable that is declared with a value. */
export function declare(pattern: Pattern, init: Expression, stage: Stage): void {
  const value = fold(init, stage);
  if (pattern.type === "Identifier") {
    const target: Target = {
      kind: "variable",
      binding: lookUp(pattern.name, stage.scope, stage.world.globals),
    };
    put(target, value, pattern, init, stage);
    return;
  }
  takeApart(value, pattern, stage);
}

/** A pattern reaches into what it is given, under the names that stand in it. */
function takeApart(value: Value, pattern: Pattern, stage: Stage): void {
  spoil(value, why(stage, pattern, "form"));
  if (value.kind === "plain") mayEnd(stage);
  if (value.kind === "window") stage.world.windowEscapes ??= why(stage, pattern, "form");
  setPattern(pattern, stage);
}

function targetOf(
  node: Pattern & (MemberExpression | { type: "Identifier" }),
  stage: Stage,
): Target;
function targetOf(node: Expression, stage: Stage): Target;
function targetOf(node: Expression | Pattern, stage: Stage): Target {
  if (node.type === "Identifier") {
    return { kind: "variable", binding: lookUp(node.name, stage.scope, stage.world.globals) };
  }
  const member = node as MemberExpression;
  const held = fold(member.object as Expression, stage);
  const key = keyOf(member) ?? plainKey(fold(member.property as Expression, stage));
  if (held.kind === "window" && key !== undefined) {
    return { kind: "variable", binding: globalNamed(key, stage.world.globals) };
  }
  const { object } = member;
  const isByAlias = object.type === "Identifier" && !object.name.startsWith(USUAL_NAME);
  return { kind: "key", held, key, isByAlias };
}

function currently(target: Target, node: Expression | Pattern, stage: Stage): Value {
  if (target.kind === "key") return property(target.held, target.key, node, stage);
  return whatHolds(target.binding) ?? fold(node as Expression, stage);
}

function put(target: Target, value: Value, node: Node, written: Node, stage: Stage): void {
  const { world } = stage;
  if (target.kind === "variable") {
    const { binding } = target;
    if (isRefused(binding, node, stage)) return mayEnd(stage);
    const here = why(stage, node, stage.isOver ? "unreached" : "browser");
    if (stage.isOver) spoil(value, here);
    store(world, binding, stage.isOver ? unknown(here) : value, here);
    return;
  }
  const { held, key, isByAlias } = target;
  switch (held.kind) {
    case "thing":
      if (key === undefined) {
        spoil(value, why(stage, node, "key"));
        spoil(held, why(stage, node, "key"));
      } else if (isByAlias && held.isPublished) {
        spoil(value, why(stage, node, "alias"));
        putKey(held, key, unknown(why(stage, node, "alias")), node, written, stage);
      } else putKey(held, key, value, node, written, stage);
      return;
    case "list":
      spoil(value, why(stage, node, "changed"));
      spoil(held, why(stage, node, "changed"));
      return;
    case "window":
      spoil(value, why(stage, node, "key"));
      world.hidden ??= why(stage, node, "key");
      return;
    case "unknown": {
      // It may be anything, the configuration too.
      spoil(value, why(stage, node, "handed-on"));
      const left =
        "left" in node ? (node.left as Node) : "argument" in node ? (node.argument as Node) : node;
      sweep(left, "write", stage.scope, stage, perhapsNow(stage, "handed-on"));
      return;
    }
    default:
      if (held.kind === "plain") mayEnd(stage);
      spoil(value, why(stage, node, "handed-on"));
  }
}

/** A constant keeps its value, and strict code makes no new globals. */
function isRefused(binding: Binding, node: Node, { scope, world }: Stage): boolean {
  if (node.type !== "AssignmentExpression" && node.type !== "UpdateExpression") return false;
  const { declared, value, name, volatile } = binding;
  if (declared === "const" || (declared === "let" && !value)) return true;
  const isGlobal = world.globals.names.get(name) === binding;
  const { left } = node as Node & { left?: Node };
  const isBare = left?.type === "Identifier";
  return isBare && isGlobal && scope.isStrict && !declared && !value && !volatile;
}

function putKey(
  held: Thing,
  key: string,
  value: Value,
  node: Node,
  written: Node,
  stage: Stage,
): void {
  const { script } = stage;
  const isUncertain = stage.conditions > 0 || stage.isOver !== undefined;
  const cause = why(stage, node, stage.isOver ? "unreached" : "condition");
  // Even where the condition is known, a person should look at what was meant.
  if (isUncertain) spoil(value, cause);
  writeKey(held, key, {
    value: isUncertain ? unknown(cause) : value,
    name: { script, start: node.start, end: node.end },
    written: { script, start: written.start, end: written.end },
  });
}
