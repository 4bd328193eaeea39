// Code of which it is not known whether, when and how often it runs → what it may change, whatever it computes.
import type { AnyNode, Node } from "acorn";
import { OTHER_WINDOWS } from "./browser.js";
import { DEFINES, HARMLESS, type Effects, type Reading, type Use } from "./effect.js";
import { chainOf, keyOf, nameOf, WINDOW_NAMES, type Chain } from "./chain.js";
import { isData, isGlobal, isWindow } from "./global.js";
import { hiddenCode, isJsonIdiom, RUNS_TEXT } from "./hidden.js";
import { globalNamed, lookUp, type Binding, type Scope } from "./scope.js";
import type { Stretch } from "./script.js";
import { USUAL_NAME } from "./world.js";
import { childrenOf, isNode } from "./walk.js";

interface Step {
  readonly node: Node;
  readonly use: Use;
  readonly scope: Scope;
}

export function sweep(
  start: Node,
  use: Use,
  scope: Scope,
  { script, scopes, world }: Reading,
  effects: Effects,
): void {
  const left: Step[] = [{ node: start, use, scope }];
  for (let step = left.pop(); step; step = left.pop()) {
    const node = step.node as AnyNode;
    const here = scopes.get(node) ?? step.scope;
    const push = (use: Use, ...nodes: readonly (Node | null | undefined)[]): void => {
      for (const each of nodes) if (each) left.push({ node: each, use, scope: here });
    };
    switch (node.type) {
      case "Identifier":
      case "ThisExpression":
      case "MemberExpression":
      case "ChainExpression": {
        if (node.type === "ChainExpression" && node.expression.type === "CallExpression") {
          push(step.use, node.expression);
          break;
        }
        const chain = chainOf(node);
        through(chain, step.use, node, here);
        push("read", ...chain.computed);
        if (chain.keys.some((key) => key !== undefined && OTHER_WINDOWS.has(key)))
          world.windowEscapes ??= { reason: "handed-on", at: stretch(node) };
        if (chain.root.type !== "Identifier" && chain.root.type !== "ThisExpression") {
          push(step.use === "read" ? "read" : "escape", chain.root);
        }
        break;
      }
      case "CallExpression":
      case "NewExpression": {
        const hidden = hiddenCode(
          node,
          (name) => isGlobal(name, here, world),
          script,
          (name) => isData(name, here, world),
        );
        const called = node.callee.type === "MemberExpression" ? keyOf(node.callee) : undefined;
        const runsText = called !== undefined && RUNS_TEXT.has(called) && hidden === undefined;
        const isOver =
          runsText &&
          node.arguments.length > 0 &&
          !isJsonIdiom(node.arguments[0], (name) => isData(name, here, world));
        if (hidden === "anything" || isOver) effects.hidden(node);
        else if (hidden !== undefined) effects.text(hidden.text, node, here);
        push(
          "escape",
          ...node.arguments.map((each) => (each.type === "SpreadElement" ? each.argument : each)),
        );
        const isOfWindow = node.arguments.some((each) => isWindow(chainOf(each), here, world));
        const namesMore = node.arguments.some(
          (each) =>
            !isWindow(chainOf(each), here, world) &&
            !each.type.includes("Function") &&
            !(each.type === "Literal" && !String(each.value).includes(USUAL_NAME)),
        );
        // Such as Object.assign(window, …).
        const { callee } = node;
        const defines = callee.type === "MemberExpression" && DEFINES.test(keyOf(callee) ?? "");
        if ((isOfWindow && namesMore) || defines) effects.hidden(node);
        if (callee.type === "MemberExpression") {
          const method = keyOf(callee);
          if (callee.computed && method === undefined) push("read", callee.property);
          // An object of the script's own may have a method of such a name that changes it.
          const isOfValue = chainOf(callee.object).keys.length > 0 || method === "hasOwnProperty";
          const isHarmless = method !== undefined && HARMLESS.has(method) && isOfValue;
          // A method of the window is a function like any other.
          if (!isWindow(chainOf(callee.object), here, world))
            push(isHarmless ? "read" : "escape", callee.object);
        } else {
          const isPlain = callee.type === "Identifier" || callee.type.includes("Function");
          push(isPlain ? "read" : "escape", callee);
        }
        break;
      }
      case "AssignmentExpression":
        push("escape", node.right);
        push("write", node.left);
        break;
      case "AssignmentPattern":
        push("escape", node.right);
        push(step.use, node.left);
        break;
      case "UpdateExpression":
        push("write", node.argument);
        break;
      case "UnaryExpression":
        push(node.operator === "delete" ? "write" : "read", node.argument);
        break;
      case "BinaryExpression":
        push("read", isNode(node.left) ? node.left : undefined, node.right);
        break;
      case "LogicalExpression":
        push(node.operator === "&&" ? "read" : step.use, node.left);
        push(step.use, node.right);
        break;
      case "ConditionalExpression":
        push("read", node.test);
        push(step.use, node.consequent, node.alternate);
        break;
      case "SequenceExpression":
        push("read", ...node.expressions.slice(0, -1));
        push(step.use, node.expressions.at(-1));
        break;
      case "TemplateLiteral":
        push("read", ...node.expressions);
        break;
      case "VariableDeclarator":
        push("write", node.id);
        push("escape", node.init);
        break;
      case "ForInStatement":
      case "ForOfStatement":
        push(node.left.type === "VariableDeclaration" ? "read" : "write", node.left);
        push(node.type === "ForInStatement" ? "read" : "escape", node.right);
        push("read", node.body);
        break;
      case "ObjectPattern":
        for (const each of node.properties) {
          const key = each.type === "Property" ? nameOf(each.key, each.computed) : undefined;
          // It may be taken from the window.
          if (key !== undefined) effects.leak(globalNamed(key, world.globals), each);
          else world.reachesAnything ??= { reason: "key", at: stretch(each) };
        }
        push(step.use, ...node.properties);
        break;
      case "ArrayPattern":
        push(step.use, ...childrenOf(node));
        break;
      case "RestElement":
        push(step.use, node.argument);
        break;
      case "Property":
        if (node.computed) push("read", node.key);
        push(step.use === "write" ? "write" : "escape", node.value);
        break;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        // What a parameter is given is no business of whoever reads on behind the function.
        push("write", ...node.params.filter(({ type }) => type !== "Identifier"));
        if (node.type === "FunctionDeclaration") push("write", node.id);
        push("escape", node.body);
        break;
      case "ClassDeclaration":
        push("write", node.id);
        push("read", node.superClass, node.body);
        break;
      case "WithStatement":
        push("escape", node.object);
        push("read", node.body);
        break;
      case "ArrayExpression":
      case "ObjectExpression":
      case "SpreadElement":
      case "TaggedTemplateExpression":
      case "YieldExpression":
      case "AwaitExpression":
      case "ReturnStatement":
      case "ThrowStatement":
        push("escape", ...childrenOf(node));
        break;
      case "MethodDefinition":
      case "PropertyDefinition":
        if (node.computed) push("read", node.key);
        push("escape", node.value);
        break;
      default:
        push("read", ...childrenOf(node));
    }
  }

  function through({ root, keys }: Chain, use: Use, at: Node, scope: Scope): void {
    if (use === "read") return;
    let path = keys;
    let start: Binding | undefined;
    if (root.type === "Identifier") {
      const { name } = root as Node & { name: string };
      start = lookUp(name, scope, world.globals);
      if (isGlobal(name, scope, world)) {
        if (OTHER_WINDOWS.has(name))
          world.windowEscapes ??= { reason: "handed-on", at: stretch(at) };
        if (RUNS_TEXT.has(name) && path.length === 0) return effects.hidden(at);
        if (WINDOW_NAMES.has(name)) {
          while (path[0] !== undefined && WINDOW_NAMES.has(path[0])) path = path.slice(1);
          const [first, ...more] = path;
          if (path.length === 0) {
            if (use === "escape") world.windowEscapes ??= { reason: "handed-on", at: stretch(at) };
            return;
          }
          if (first === undefined) return effects.hidden(at);
          if (RUNS_TEXT.has(first) && more.length === 0) return effects.hidden(at);
          start = globalNamed(first, world.globals);
          path = more;
        }
      }
    } else if (root.type === "ThisExpression" || root.type === "Super") {
      if (path.length === 0 && use === "escape") {
        world.windowEscapes ??= { reason: "handed-on", at: stretch(at) };
      }
      effects.self(path[0], at);
    }
    if (start) apply(start, path, use, at);
    // Whatever it is read from, it may be the window: a global of that name may be meant.
    path.forEach((key, index) => {
      if (key !== undefined) apply(globalNamed(key, world.globals), path.slice(index + 1), use, at);
    });
    if (path.includes(undefined)) world.reachesAnything ??= { reason: "key", at: stretch(at) };
  }

  function apply(binding: Binding, keys: Chain["keys"], use: Use, at: Node): void {
    const [key, ...deeper] = keys;
    if (keys.length === 0) {
      if (use === "write") effects.write(binding, at);
      else effects.leak(binding, at);
    } else if (key === undefined) effects.leak(binding, at);
    else if (use === "write" && deeper.length === 0) effects.writeKey(binding, key, at);
    else effects.leakKey(binding, key, at);
  }

  function stretch({ start, end }: Node): Stretch {
    return { script, start, end };
  }
}
