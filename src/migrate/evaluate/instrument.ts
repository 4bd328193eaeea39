// Parsed scripts → the same scripts with hooks in front of statements and around conditions, and what each hook is about.
import type { AnyNode, CallExpression, MemberExpression, Node } from "acorn";
import { USUAL_NAME } from "../known.js";
import type { Parsed } from "../read.js";
import type { Stretch } from "../script.js";
import { around, inserted, type Insertion } from "./insert.js";
import type { Is } from "./names.js";
import {
  childrenOf,
  isFunction,
  isHolder,
  isMethod,
  isText,
  nameOf,
  namesIn,
  propertyOf,
  statementsIn,
  writtenIn,
  type FunctionNode,
} from "./tree.js";

/** A place with a hook; its number counts from 1. */
export interface Site {
  readonly at: Stretch;
  /** A statement, the first one of a function or of a catch clause; what is decided, by a loop again and again; a computed key of what is written. */
  readonly kind: "statement" | "entry" | "catch" | "condition" | "loop" | "key";
  /** What it goes by. */
  readonly about: readonly Node[];
  /** Of a catch clause, the statements that may throw. */
  readonly throws: readonly number[];
}

export type Instrumented = ReturnType<typeof instrument>;

interface Instrumenting {
  readonly hooks: string;
  readonly isOutside: Is;
  /** Whether it may be, as far as another script may have made the configuration. */
  readonly isOpen: Is;
}

export function instrument(parsed: readonly Parsed[], how: Instrumenting) {
  const sites: Site[] = [];
  const scripts = parsed.map((each, at) => ({
    file: `${at}.js`,
    code: new Instrumenter(each, { ...how, sites }).run(),
  }));
  return { scripts, sites };
}

class Instrumenter {
  readonly #parsed: Parsed;
  readonly #how: Instrumenting & { readonly sites: Site[] };
  readonly #texts: Insertion[] = [];
  readonly #known = new Map<Node, number>();
  readonly #entries = new Map<Node, Node>();
  readonly #tried = new Map<Node, AnyNode>();
  /** What is written, and what nothing can be put around. */
  readonly #targets = new Set<Node>();
  readonly #fixed = new Set<Node>();

  constructor(parsed: Parsed, how: Instrumenting & { readonly sites: Site[] }) {
    this.#parsed = parsed;
    this.#how = how;
  }

  run(): string {
    const { program, script } = this.#parsed;
    this.#visit(program, false);
    return inserted(script.text, this.#texts, `/*${this.#how.hooks}*/`);
  }

  #site(node: Node, kind: Site["kind"], about: readonly Node[] = [node], throws: number[] = []) {
    const at = { script: this.#parsed.script, start: node.start, end: node.end };
    return this.#how.sites.push({ at, kind, about, throws });
  }

  #wrap(node: Node, open: string, close = ""): void {
    this.#texts.push(...around(node, open, close, this.#texts.length));
  }

  #around(node: Node, hook: string, close = "))"): void {
    this.#wrap(node, `${this.#how.hooks}.${hook}(`, close);
  }

  /** What is decided here, and may be decided otherwise elsewhere. */
  #condition(node: AnyNode, close?: string, kind: Site["kind"] = "condition"): void {
    if (node.type === "UnaryExpression" && node.operator === "!")
      this.#condition(node.argument, undefined, kind);
    else if (!this.#known.has(node) && this.#how.isOpen(node)) {
      this.#known.set(node, this.#site(node, kind));
      this.#around(node, `t(${this.#known.get(node)},`, close);
    }
  }

  /** Whoever it is given to may decide by it. */
  #given(node: AnyNode | null | undefined): void {
    if (node && /^(?:Call|Member|Ident)/.test(node.type)) this.#condition(node);
  }

  /** What is thrown in it may be caught in the same function. */
  #visit(node: AnyNode, isCaught: boolean): void {
    this.#statements(statementsIn(node), isCaught);
    this.#hook(node);
    for (const child of childrenOf(node)) {
      const isTried = node.type === "TryStatement" && child === node.block && !!node.handler;
      this.#visit(child, isTried || (isCaught && !isFunction(node)));
    }
  }

  #statements(all: readonly AnyNode[], isCaught: boolean): void {
    const { hooks, isOutside } = this.#how;
    const isDeclared = (each: AnyNode) => each.type === "FunctionDeclaration";
    const declared = all.filter(isDeclared).map(({ id }) => `${hooks}.f(${id?.name});`);
    const plain = all.filter((each) => !isDeclared(each) && !("directive" in each));
    const [first] = plain;
    if (first) this.#wrap(first, declared.join(""));
    else if (declared.length > 0) this.#wrap(all.at(-1) as Node, "", `;${declared.join("")}`);
    for (const node of plain) {
      const entry = this.#entries.get(node);
      const id = this.#site(entry ?? node, entry ? "entry" : "statement", [node]);
      this.#known.set(node, id);
      this.#wrap(node, `${hooks}.s(${id});`);
      const isVariable = node.type === "VariableDeclaration" && node.kind === "var";
      const isPlain = isVariable || node.type === "ExpressionStatement";
      if (isPlain && !isCaught && isOutside(node))
        this.#wrap(node, "try{", `}catch(${hooks}_){${hooks}.x(${hooks}_)}`);
    }
  }

  #hook(node: AnyNode): void {
    for (const each of writtenIn(node)) this.#targets.add(each);
    if ("test" in node && node.test && node.type !== "SwitchCase")
      this.#condition(node.test, undefined, LOOPS.test(node.type) ? "loop" : "condition");
    switch (node.type) {
      case "LogicalExpression":
        this.#condition(node.left, node.operator === "??" ? NULLISH : undefined);
        return this.#given(node.right);
      case "ReturnStatement":
        return this.#given(node.argument);
      case "UnaryExpression":
        return node.operator === "!" ? this.#condition(node.argument) : undefined;
      case "BinaryExpression":
        return COMPARES.test(node.operator) ? this.#condition(node) : undefined;
      case "SwitchStatement": {
        const of = this.#site(node, "statement");
        this.#around(node.discriminant, `l(${of},`);
        for (const test of node.cases.flatMap((each) => each.test ?? [])) {
          const id = this.#site(test, "condition", [node.discriminant, test]);
          this.#around(test, `v(${id},${of},`);
        }
        return undefined;
      }
      case "MemberExpression":
        return this.#member(node);
      case "Property":
      case "MethodDefinition":
        if (isMethod(node)) this.#fixed.add(node.value);
        return this.#key(node.computed, node.key);
      case "TryStatement":
        return node.handler ? void this.#tried.set(node.handler.body, node.block) : undefined;
      case "BlockStatement":
        return this.#caught(node);
      case "TaggedTemplateExpression":
        return void this.#fixed.add(node.tag);
      case "NewExpression":
      case "ChainExpression":
        return this.#fix("callee" in node ? node.callee : node.expression);
      case "CallExpression":
        return this.#call(node);
      case "ClassDeclaration":
        return this.#wrap(node, "", `;${this.#how.hooks}.f(${node.id?.name});`);
      default:
        if (isHolder(node) && !this.#fixed.has(node)) this.#around(node, "f(");
        return isFunction(node) ? this.#function(node) : undefined;
    }
  }

  /** Even where it is empty, because the rest of what was tried is left out. */
  #caught(node: Node): void {
    const tried = this.#tried.get(node);
    if (!tried) return;
    const may = statementsIn(tried).filter(this.#how.isOutside);
    const throws = may.flatMap((each) => this.#known.get(each) ?? []);
    const id = this.#site(node, "catch", [tried], throws);
    this.#wrap(node, `{${this.#how.hooks}.s(${id});`, "}");
  }

  #key(isComputed: boolean, key: Node): void {
    if (isComputed && !isText(key) && this.#how.isOpen(key))
      this.#around(key, `k(${this.#site(key, "key")},`);
  }

  /** Nothing can be put around a part of it. */
  #fix(node: AnyNode): void {
    this.#fixed.add(node);
    if (node.type === "MemberExpression") this.#fix(node.object);
    if (node.type === "CallExpression") this.#fix(node.callee);
  }

  #member(node: MemberExpression): void {
    if (node.object.type === "Super") return;
    if (node.optional) this.#condition(node.object, NULLISH);
    const isOpen = node.computed && !isText(node.property);
    if (this.#targets.has(node)) this.#key(node.computed, node.property);
    // A part of what comes from outside may be missing elsewhere.
    else if (
      isOpen &&
      [node.object, node.property].some(this.#how.isOpen) &&
      !this.#fixed.has(node)
    )
      this.#condition(node, NULLISH);
    // Without a configuration, or what it looks for in the page, the script does end there.
    const named = "callee" in node.object ? node.object.callee : node.object;
    const isMissing = namesIn(named).some((each) => each === USUAL_NAME || FINDS.test(each));
    if (!isMissing && !this.#fixed.has(node.object) && this.#how.isOutside(node.object))
      this.#around(node.object, "g(");
  }

  #call(node: CallExpression): void {
    const { callee } = node;
    const [first] = node.arguments;
    this.#fixed.add(callee);
    if (nameOf(callee) === "eval" && first && first.type !== "SpreadElement") {
      this.#wrap(node, `(${this.#how.hooks}.d()&&`, ")");
      this.#around(first, "e(", `),${String(this.#how.isOpen(first))})`);
    }
    const asks = callee.type === "MemberExpression" && ASKS.test(propertyOf(callee) ?? "");
    if (asks && !this.#fixed.has(node)) this.#condition(node);
  }

  #function(node: FunctionNode): void {
    const { body } = node;
    const isFirst = (each: Node) => !("directive" in each || each.type === "FunctionDeclaration");
    const first = statementsIn(body).find(isFirst);
    if (first) this.#entries.set(first, body);
    if (body.type === "BlockStatement") return;
    this.#wrap(body, `(${this.#how.hooks}.s(${this.#site(body, "entry")}),(`, "))");
    this.#given(body);
  }
}

const LOOPS = /^(?:For|While|DoWhile)Statement$/;
const FINDS = /^(?:getElementById|querySelector)$/;
const NULLISH = "),true)";

/** What they give is a choice, wherever it goes. */
const COMPARES = /^(?:[=!]==?|[<>]=?|in|instanceof)$/;
const ASKS =
  /^(?:test|includes|startsWith|endsWith|some|every|has|hasOwnProperty|search|getElementById|querySelector|(?:lastI|i)ndexOf)$/;
