// A call that is certain to be made → what it gives, and what it may have changed on the way.
import type { CallExpression, Expression, Node } from "acorn";
import { calledFunction, keyOf, type InlineFunction } from "./chain.js";
import { isData, isGlobal } from "./global.js";
import { hiddenCode, isJsonIdiom, MAY_RUN_TEXT, RUNS_TEXT } from "./hidden.js";
import { DEFINES, HARMLESS } from "./effect.js";
import { sweep } from "./effects.js";
import { fold, perhaps, plainKey } from "./fold.js";
import { holdsNothing } from "./property.js";
import { callMethod } from "./method.js";
import { binding, lookUp, type Scope } from "./scope.js";
import { readBody } from "./statement.js";
import { atAnyTime, perhapsNow } from "./survey.js";
import { plain, spoil, unknown, whyOf, type Value } from "./value.js";
import { mayEnd, readKey, store, USUAL_NAME, whatHolds, why, type Stage } from "./world.js";

export function call(node: CallExpression, stage: Stage): Value {
  const { world } = stage;
  const inline = calledFunction(node);
  if (inline) return readInline(node, inline, stage);
  const hidden = hiddenCode(
    node,
    (name) => isGlobal(name, stage.scope, world),
    stage.script,
    (name) => isData(name, stage.scope, world),
  );
  if (hidden === "anything") world.hidden ??= why(stage, node, "hidden");
  else if (hidden !== undefined) atAnyTime(stage).text(hidden.text, node, stage.scope);

  const { callee } = node;
  let receiver: Value | undefined;
  let method: string | undefined;
  if (callee.type === "MemberExpression" && callee.object.type !== "Super") {
    receiver = fold(callee.object, stage);
    if (holdsNothing(callee.object, stage)) mayEnd(stage);
    method = keyOf(callee) ?? plainKey(fold(callee.property as Expression, stage));
  } else if (callee.type !== "Identifier" && callee.type !== "Super") {
    const called = fold(callee, stage);
    spoil(called, why(stage, callee, "call"));
    if (/^(?:plain|thing|list)$/.test(called.kind)) mayEnd(stage);
  }
  const given: Value[] = [];
  let isWhole = true;
  for (const each of node.arguments) {
    if (each.type === "SpreadElement") {
      isWhole = false;
      given.push(fold(each.argument, stage));
    } else given.push(fold(each, stage));
  }
  if (receiver && method !== undefined && isWhole && !world.patchedMethods) {
    const result = callMethod(receiver, method, given, node, stage);
    if (result) return result;
  }
  runText(node, receiver, method, given, stage);
  if (mayThrow(node, receiver, method, stage)) mayEnd(stage);
  for (const each of given) handOn(each, node, stage);
  // Such as Object.assign(window, …): together with something that names what to set.
  const names = given.some(
    (each) =>
      each.kind === "thing" ||
      each.kind === "unknown" ||
      (each.kind === "plain" && String(each.value).includes(USUAL_NAME)),
  );
  const isOfWindow = given.some(({ kind }) => kind === "window");
  const isWindow = receiver?.kind === "window";
  const defines = isWindow && (method === undefined || DEFINES.test(method));
  if ((names && isOfWindow) || defines) world.hidden ??= why(stage, node, "handed-on");
  // A method may change what it is called on.
  if (receiver && receiver.kind !== "window") {
    const isOwn = receiver.kind === "thing" && receiver.entries.has(method ?? "");
    const isHarmless = method !== undefined && HARMLESS.has(method) && !isOwn;
    if (!isHarmless) spoil(receiver, why(stage, node, "changed"));
    if (receiver.kind === "unknown") {
      sweep(node, "read", stage.scope, stage, perhapsNow(stage, "handed-on"));
    }
  }
  return unknown((receiver && whyOf(receiver)) ?? why(stage, node, "call"));
}

function handOn(value: Value, node: Node, stage: Stage): void {
  spoil(value, why(stage, node, "handed-on"));
  if (value.kind === "window") stage.world.windowEscapes ??= why(stage, node, "handed-on");
}

/** Sloppy code has the window instead of nothing. */
function selfOf(given: Value | undefined, isStrict: boolean): Value | undefined {
  if (isStrict || given?.kind !== "plain") return given;
  return given.value === null || given.value === undefined ? { kind: "window" } : given;
}

/** The function stands where it is called, so its statements are the next ones in order. */
function readInline(node: CallExpression, inline: InlineFunction, stage: Stage): Value {
  const { node: fn, isByCall } = inline;
  const scope = stage.scopes.get(fn) as Scope;
  // It may be another "call" then.
  if (isByCall && stage.world.patchedMethods) return perhaps(node, stage, "call");
  const given = node.arguments.map((each) => fold(each as Expression, stage));
  const self = isByCall
    ? selfOf(given.shift(), stage.scopes.get(fn)?.isStrict === true)
    : undefined;
  for (const [at, param] of fn.params.entries()) {
    const { name } = param as Node & { name: string };
    const held = scope.names.get(name) ?? binding(name);
    store(stage.world, held, given[at] ?? plain(undefined));
  }
  for (const each of given.slice(fn.params.length)) handOn(each, node, stage);
  const [outerScope, outerSelf] = [stage.scope, stage.self];
  stage.scope = scope;
  if (fn.type === "FunctionExpression") {
    stage.self = self ?? (scope.isStrict ? unknown(why(stage, fn, "form")) : { kind: "window" });
  }
  try {
    return fn.body.type === "BlockStatement" ? readBody(fn.body, stage) : fold(fn.body, stage);
  } finally {
    stage.scope = outerScope;
    stage.self = outerSelf;
  }
}

/** A text that is computed may be code as well as one that is written out. */
function runText(
  node: CallExpression,
  receiver: Value | undefined,
  method: string | undefined,
  given: readonly Value[],
  stage: Stage,
): void {
  const { callee } = node;
  const name = callee.type === "Identifier" ? callee.name : method;
  if (name === undefined || (receiver && !/^(?:window|unknown|code)$/.test(receiver.kind))) return;
  const [first] = name === "Function" ? given.slice(-1) : given;
  const isRun = RUNS_TEXT.has(name);
  if (!first || (!isRun && !MAY_RUN_TEXT.has(name))) return;
  const [code] = node.arguments;
  if (first.kind === "plain") {
    if (typeof first.value === "string") atAnyTime(stage).text(first.value, node, stage.scope);
  } else if (
    isRun
      ? !isJsonIdiom(code, (name) => isData(name, stage.scope, stage.world))
      : first.kind === "open-text"
  ) {
    stage.world.hidden ??= why(stage, node, "hidden");
  }
}

/** Whether the call itself may fail, as far as that can be seen. */
function mayThrow(
  { callee }: CallExpression,
  receiver: Value | undefined,
  method: string | undefined,
  stage: Stage,
): boolean {
  if (stage.world.mayThrow) return true;
  if (callee.type === "Identifier") {
    if (CHECKS.test(callee.name)) return true;
    const held = whatHolds(lookUp(callee.name, stage.scope, stage.world.globals));
    const mayBeCode = !held || held.kind === "code" || held.kind === "unknown";
    return !mayBeCode;
  }
  if (receiver?.kind === "plain" || receiver?.kind === "open-text") {
    return typeof method !== "string" || !HARMLESS.has(method);
  }
  if (method === undefined) return false;
  if (receiver?.kind === "list") return !(method in []);
  if (receiver?.kind === "thing") {
    const held = readKey(stage.world, receiver, method, why(stage, callee, "name"));
    return held.kind === "plain" || CHECKS.test(method);
  }
  return receiver?.kind === "unknown" && CHECKS.test(method);
}

/** Functions of the language that refuse what does not suit them. */
const CHECKS =
  /^(?:call|parse|define\w+|setPrototypeOf|decodeURI|decodeURIComponent|normalize|repeat|toFixed)$/;
