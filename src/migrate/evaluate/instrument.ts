// Adds hooks to scripts: around what they compare, call and read, around conditions, at the entry of functions and catch clauses, and in calls of eval.
import { randomBytes } from "node:crypto";
import type { AnyNode, CallExpression, Node } from "acorn";
import type { Parsed } from "../read.js";
import type { Stretch } from "../script.js";
import { childrenOf, isFunction, nameOf, nodesOf, writtenIn } from "./tree.js";

/** A place with a hook; its ID counts from 1. */
export interface Site {
  readonly at: Stretch;
  /** What is computed from operands, a value that decides, a list or an object that is taken apart, and code that is entered. */
  readonly kind:
    | "result"
    | "test"
    | "loop"
    | "list"
    | "function"
    | "catch"
    | "switch"
    | "with"
    | "logical";
  readonly node: Node;
  /** An error that is thrown here is caught. */
  readonly isTried: boolean;
}

export type Hooked = ReturnType<typeof instrument>;

export function instrument(parsed: readonly Parsed[], own: ReadonlySet<string>) {
  const hooks = `_${randomBytes(4).toString("hex")}`;
  const sites: Site[] = [];
  const scripts = parsed.map((each, at) => ({
    file: `${at}.js`,
    code: new Instrumenter(each, hooks, sites, own).run(),
  }));
  return { hooks, scripts, sites };
}

interface Insertion {
  readonly at: number;
  readonly rank: number;
  readonly text: string;
}

class Instrumenter {
  readonly #parsed: Parsed;
  readonly #hooks: string;
  readonly #sites: Site[];
  /** Names that the scripts give values to. */
  readonly #own: ReadonlySet<string>;
  readonly #insertions: Insertion[] = [];
  /** No hook can stand around these. */
  readonly #fixed = new Set<Node>();
  readonly #tested = new Set<Node>();
  #isTried = false;

  constructor(parsed: Parsed, hooks: string, sites: Site[], own: ReadonlySet<string>) {
    this.#parsed = parsed;
    this.#hooks = hooks;
    this.#sites = sites;
    this.#own = own;
  }

  run(): string {
    const { program, script } = this.#parsed;
    this.#visit(program);
    this.#insertions.sort((one, other) => one.at - other.at || one.rank - other.rank);
    // With a mark on both sides, so that functions can print themselves without hooks.
    const mark = `/*${this.#hooks}*/`;
    const parts: string[] = [];
    let done = 0;
    for (const { at, text } of this.#insertions) {
      parts.push(script.text.slice(done, at), mark, text, mark);
      done = at;
    }
    return parts.join("") + script.text.slice(done);
  }

  #site(place: Node, kind: Site["kind"], node = place): number {
    const { start, end } = place;
    const at = { script: this.#parsed.script, start, end };
    return this.#sites.push({ at, kind, node, isTried: this.#isTried });
  }

  /** Of two at one place, the end of a smaller stretch comes first, and the start of a larger one. */
  #wrap({ start, end }: Node, hook: string, close = "))"): void {
    const rank = 1e14 - (end - start) * 1e7 + this.#insertions.length;
    this.#insertions.push({ at: start, rank, text: `${this.#hooks}.${hook}` });
    this.#insertions.push({ at: end, rank: -rank, text: close });
  }

  #enter(body: AnyNode, kind: "function" | "catch", whole: AnyNode): void {
    const id = this.#site(body, kind, whole);
    if (body.type !== "BlockStatement") return this.#wrap(body, `s(${id},(`);
    const directive = body.body.findLast((each) => "directive" in each);
    const text = `;${this.#hooks}.s(${id});`;
    this.#insertions.push({ at: directive?.end ?? body.start + 1, rank: 0, text });
  }

  /** Around what is computed from operands: literals and functions are the same on each page. */
  #result(node: AnyNode, operands: readonly Node[], kind: "result" | "list" = "result"): void {
    const open = operands.filter((each) => !/^(?:Literal|Super)$|Function/.test(each.type));
    if (open.length === 0 || this.#fixed.has(node)) return;
    const id = this.#site(node, kind);
    const isMember = node.type === "MemberExpression";
    const isChosen = isMember && node.computed && node.property.type !== "Literal";
    const ofMember = isMember && !node.computed ? "m" : "r";
    const hook = kind === "list" ? "a" : isChosen ? "c" : ofMember;
    this.#wrap(node, `${hook}(${id},${open.length},(`);
    for (const each of open) this.#wrap(each, `o(${id},(`);
  }

  #test(node: AnyNode, kind: "test" | "loop" = "test", close?: string): void {
    if (node.type === "UnaryExpression" && node.operator === "!")
      return this.#test(node.argument, kind);
    const isResult = node.type === "BinaryExpression" && COMPARES.test(node.operator);
    if (isResult || node.type === "Literal" || this.#tested.has(node)) return;
    this.#tested.add(node);
    this.#wrap(node, `t(${this.#site(node, kind)},(`, close);
  }

  /** A name may be missing. */
  #typeof(node: AnyNode, argument: Node): void {
    const { type, start, end } = argument;
    if (type !== "Identifier") return this.#result(node, [argument]);
    const name = this.#parsed.script.text.slice(start, end);
    const id = this.#site(node, "result");
    const absent = this.#own.has(name) ? "void 0" : `${this.#hooks}.n`;
    this.#wrap(
      node,
      `r(${id},1,(${this.#hooks}.o(${id},typeof ${name}==="undefined"?${absent}:${name}),`,
    );
  }

  #visit(node: AnyNode): void {
    if (node.type === "Literal") return;
    for (const each of writtenIn(node)) this.#fixed.add(each);
    if (node.type === "WithStatement") {
      // Its object could see the hooks' name.
      this.#site(node, "with");
      return this.#visit(node.object);
    }
    this.#hook(node);
    const isTried = this.#isTried;
    const block = node.type === "TryStatement" && node.handler ? node.block : undefined;
    for (const child of childrenOf(node)) {
      this.#isTried = child === block || (isTried && !isFunction(node));
      this.#visit(child);
    }
    this.#isTried = isTried;
  }

  #hook(node: AnyNode): void {
    if ("test" in node && node.test && node.type !== "SwitchCase")
      this.#test(node.test, LOOPS.test(node.type) ? "loop" : "test");
    switch (node.type) {
      case "AssignmentExpression":
        // No hook can stand around what is assigned to.
        return /^(?:&&|\|\||\?\?)=$/.test(node.operator)
          ? void this.#site(node, "logical")
          : undefined;
      case "LogicalExpression":
        return this.#test(node.left, "test", node.operator === "??" ? NULLISH : undefined);
      case "UnaryExpression":
        if (node.operator === "typeof") this.#typeof(node, node.argument);
        if (/^[-+~]$/.test(node.operator)) this.#result(node, [node.argument]);
        return node.operator === "!" ? this.#test(node.argument) : undefined;
      case "BinaryExpression":
        if (node.operator === "+" || node.left.type === "PrivateIdentifier") return undefined;
        return this.#result(node, [node.left, node.right]);
      case "SwitchStatement": {
        const of = this.#site(node, "switch");
        this.#wrap(node.discriminant, `l(${of},(`);
        for (const test of node.cases.flatMap((each) => each.test ?? []))
          this.#wrap(test, `v(${this.#site(test, "result")},${of},(`);
        return undefined;
      }
      case "MemberExpression": {
        const { object, property, computed } = node;
        return this.#result(node, computed ? [object, property] : [object]);
      }
      case "ChainExpression":
        return this.#result(node, [this.#fix(node.expression)]);
      case "NewExpression":
        return void this.#fix(node.callee);
      case "TaggedTemplateExpression":
        return void this.#fix(node.tag);
      case "CallExpression":
        return this.#call(node);
      case "ForInStatement":
      case "ForOfStatement":
        return this.#result(node.right, [node.right], "list");
      case "VariableDeclarator":
        if (node.init && node.id.type.endsWith("Pattern"))
          this.#result(node.init, [node.init], "list");
        return undefined;
      case "CatchClause":
        return this.#enter(node.body, "catch", node);
      case "PropertyDefinition":
        return node.value && !node.static
          ? this.#wrap(node.value, `s(${this.#site(node, "function")},(`)
          : undefined;
      default:
        return isFunction(node) ? this.#enter(node.body, "function", node) : undefined;
    }
  }

  /** No hook can stand around a part of it, but for the object that it begins with. */
  #fix(node: AnyNode): Node {
    this.#fixed.add(node);
    if (node.type === "MemberExpression") return this.#fix(node.object);
    return node.type === "CallExpression" ? this.#fix(node.callee) : node;
  }

  #call(node: CallExpression): void {
    const callee = node.callee as AnyNode;
    const [first] = node.arguments;
    if (nameOf(callee) === "eval") {
      if (!first || first.type === "SpreadElement") return;
      this.#wrap(node, `p(${this.#hooks}.d()&&`, ")");
      return this.#wrap(first, "e((");
    }
    // What a callback returns decides, as in find and filter.
    for (const each of node.arguments) {
      if (!isFunction(each)) continue;
      if (each.body.type !== "BlockStatement") this.#test(each.body);
      for (const inner of nodesOf(each.body))
        if (inner.type === "ReturnStatement" && inner.argument) this.#test(inner.argument);
    }
    this.#fixed.add(callee);
    const handed = node.arguments.map((each) =>
      each.type === "SpreadElement" ? each.argument : each,
    );
    const isMember = callee.type === "MemberExpression";
    this.#result(node, [isMember ? callee.object : callee, ...handed]);
  }
}

const LOOPS = /^(?:For|While|DoWhile)Statement$/;
const NULLISH = "),true)";
const COMPARES = /^(?:[=!]==?|[<>]=?|in|instanceof)$/;
