// A whole program → ways in it to run text as code, to change what is not named, and to end a script.
import type { AnyNode, Node } from "acorn";
import { BY_NAME, TAKES_TEXT } from "./browser.js";
import { chainOf, constantText, keyOf, nameOf } from "./chain.js";
import type { Reading } from "./effect.js";
import { RUNS_TEXT } from "./hidden.js";
import { isFunctionNode } from "./scope.js";
import { USUAL_NAME, why } from "./world.js";
import { childrenOf } from "./walk.js";

export function noteReach(node: AnyNode, reading: Reading): void {
  const { world } = reading;
  const hide = (at: Node): void => {
    world.hidden ??= why(reading, at, "hidden");
  };
  switch (node.type) {
    case "MemberExpression": {
      const key = keyOf(node);
      if (key !== undefined && BY_NAME.has(key)) {
        world.reachesAnything ??= why(reading, node, "handed-on");
      }
      break;
    }
    case "ObjectExpression":
      // Whatever is done with it, it is there to become the window's.
      if (node.properties.some((each) => each.type === "Property" && namesUsual(each))) {
        world.hidden ??= why(reading, node, "handed-on");
      }
      break;
    case "ObjectPattern":
      if (
        node.properties.some(
          (each) => each.type === "Property" && BY_NAME.has(nameOf(each.key, each.computed) ?? ""),
        )
      )
        world.reachesAnything ??= why(reading, node, "handed-on");
      if (
        node.properties.some(
          (each) =>
            each.type === "Property" && RUNS_TEXT.has(nameOf(each.key, each.computed) ?? ""),
        )
      )
        hide(node);
      break;
    case "CallExpression": {
      const { callee } = node;
      const method = callee.type === "MemberExpression" ? keyOf(callee) : undefined;
      const [first] = node.arguments;
      if (method === "write" || method === "writeln" || method === "insertAdjacentHTML") {
        const { root } = chainOf(callee);
        const isConsole = (root as Node & { name?: string }).name === "console";
        if (!isConsole && node.arguments.some(mayHoldCode)) hide(node);
      } else if (method === "createElement" && (!first || isScript(first))) {
        world.makesScripts ??= why(reading, node, "hidden");
      } else if (method === "createTextNode" || method === "append") {
        world.setsText ??= why(reading, node, "hidden");
      } else if (method === "setAttribute" && first && mayBeHandler(first)) hide(node);
      else if (method === "createContextualFragment" || method === "parseHTML") hide(node);
      break;
    }
    case "AssignmentExpression": {
      const key = node.left.type === "MemberExpression" ? keyOf(node.left) : undefined;
      if (key === undefined || !TAKES_TEXT.has(key)) break;
      world.setsText ??= why(reading, node, "hidden");
      if (/HTML|srcdoc/.test(key) && mayHoldCode(node.right)) hide(node);
      break;
    }
    case "ImportExpression":
      hide(node);
      break;
    case "Literal":
      if (typeof node.value === "string" && /^\s*javascript:/i.test(node.value)) hide(node);
      break;
    default:
      if (isFunctionNode(node) && (throwsIn(node) || callsItself(node))) world.mayThrow = true;
  }
}

function namesUsual({ key, computed }: { key: Node; computed: boolean }): boolean {
  const name = nameOf(key as never, computed);
  return name !== undefined && name.startsWith(USUAL_NAME);
}

function isScript(node: Node): boolean {
  const text = constantText(node);
  return text === undefined || text.toLowerCase() === "script";
}

function mayBeHandler(node: Node): boolean {
  const text = constantText(node);
  return text === undefined || /^(?:on|srcdoc)/i.test(text);
}

/** Markup may run code; what is put into it from elsewhere is taken to be an address or a word. */
function mayHoldCode(node: Node): boolean {
  const texts: string[] = [];
  const left = [node];
  for (let each = left.pop(); each; each = left.pop()) {
    const { type } = each;
    if (type === "Literal") texts.push(String((each as Node & { value: unknown }).value));
    else if (type === "TemplateElement") {
      texts.push((each as Node & { value: { raw: string } }).value.raw);
    }
    left.push(...childrenOf(each).toReversed());
  }
  const all = texts.join("");
  if (!all.trimStart().startsWith("<")) return all !== "" || node.type !== "Literal";
  const rest = all.replace(/<script[^>]*\ssrc\s*=[^>]*>\s*<\\?\/script>/gi, "");
  return /<script|\bon\w+\s*=|javascript:|srcdoc/i.test(rest);
}

/** It may never end. */
function callsItself(fn: Node & { id?: { name: string } | null | undefined }): boolean {
  const left = fn.id ? [...childrenOf(fn)] : [];
  for (let each = left.pop(); each; each = left.pop()) {
    const { callee } = each as Node & { callee?: { name?: string } };
    if (callee?.name !== undefined && callee.name === fn.id?.name) return true;
    left.push(...childrenOf(each));
  }
  return false;
}

/** A node that ends a script wherever it stands. */
export function fails(node: Node): boolean {
  const each = node as AnyNode;
  if (each.type === "MemberExpression") return isNothing(each.object);
  if (each.type === "ForOfStatement") {
    return each.right.type === "Literal" && typeof each.right.value !== "string";
  }
  return (
    (each.type === "CallExpression" || each.type === "NewExpression") &&
    (/^(?:Literal|ObjectExpression|ArrayExpression)$/.test(each.callee.type) ||
      isNothing(each.callee))
  );
}

function isNothing(node: Node): boolean {
  const each = node as AnyNode;
  if (each.type === "UnaryExpression") return each.operator === "void";
  if (each.type === "Identifier") return each.name === "undefined";
  return each.type === "Literal" && each.value === null && !each.regex && !each.bigint;
}

function throwsIn(fn: Node): boolean {
  const left = [...childrenOf(fn)];
  for (let each = left.pop(); each; each = left.pop()) {
    if (each.type === "ThrowStatement" || fails(each)) return true;
    const { test } = each as Node & { test?: Node | null };
    const isLoop = /^(?:For|While|DoWhile)Statement$/.test(each.type);
    if (isLoop && (!test || test.type === "Literal")) return true;
    if (!isFunctionNode(each)) left.push(...childrenOf(each));
  }
  return false;
}
