// A call that is certain to be made → what it gives, and what it may have changed on the way.
import type { CallExpression, Expression, Node } from "acorn";
import { calledFunction, keyOf, type InlineFunction } from "./chain.js";
import { hiddenCode } from "./hidden.js";
import { DEFINES, HARMLESS, sweep } from "./effects.js";
import { fold, plainKey } from "./fold.js";
import { callMethod } from "./method.js";
import { binding, lookUp, type Scope } from "./scope.js";
import { readBody } from "./statement.js";
import { atAnyTime, perhapsNow } from "./survey.js";
import { plain, spoil, unknown, whyOf, type Value } from "./value.js";
import { store, USUAL_NAME, why, type Stage } from "./world.js";

export function call(node: CallExpression, stage: Stage): Value {
  const { world } = stage;
  const inline = calledFunction(node);
  if (inline) return readInline(node, inline, stage);
  const isGlobal = (name: string) => {
    const found = lookUp(name, stage.scope, world.globals);
    return found === world.globals.names.get(name);
  };
  const hidden = hiddenCode(node, isGlobal, stage.script);
  if (hidden === "anything") world.hidden ??= why(stage, node, "hidden");
  else if (hidden !== undefined) atAnyTime(stage).text(hidden.text, node, stage.scope);

  const { callee } = node;
  let receiver: Value | undefined;
  let method: string | undefined;
  if (callee.type === "MemberExpression" && callee.object.type !== "Super") {
    receiver = fold(callee.object, stage);
    method = keyOf(callee) ?? plainKey(fold(callee.property as Expression, stage));
  } else if (callee.type !== "Identifier" && callee.type !== "Super") {
    spoil(fold(callee, stage), why(stage, callee, "call"));
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
  for (const each of given) handOn(each, node, stage);
  // Such as Object.assign(window, …): together with something that names what to set.
  const names = given.some(
    (each) =>
      each.kind === "thing" ||
      each.kind === "unknown" ||
      (each.kind === "plain" && String(each.value).includes(USUAL_NAME)),
  );
  const isOfWindow = given.some(({ kind }) => kind === "window");
  const defines = receiver?.kind === "window" && method !== undefined && DEFINES.test(method);
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

/** The function stands where it is called, so its statements are the next ones in order. */
function readInline(node: CallExpression, inline: InlineFunction, stage: Stage): Value {
  const { node: fn, isByCall } = inline;
  const scope = stage.scopes.get(fn) as Scope;
  const given = node.arguments.map((each) => fold(each as Expression, stage));
  const self = isByCall ? given.shift() : undefined;
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
