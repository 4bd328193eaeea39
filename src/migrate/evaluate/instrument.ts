// Adds hooks to scripts: in front of statements, around conditions and in calls of eval.
import type {
  AnyNode,
  AssignmentExpression,
  AssignmentPattern,
  CallExpression,
  ForInStatement,
  ForOfStatement,
  MemberExpression,
  Node,
} from "acorn";
import type { Parsed } from "../read.js";
import type { Stretch } from "../script.js";
import { MERGES, type Test } from "./flow.js";
import {
  childrenOf,
  isFunction,
  isText,
  nameOf,
  propertyOf,
  statementsIn,
  writtenIn,
  type FunctionNode,
} from "./tree.js";

/** A place with a hook; its ID counts from 1. */
export interface Site {
  readonly at: Stretch;
  readonly kind:
    | "statement"
    | "tried"
    | "function"
    | "catch"
    | "condition"
    | "loop"
    | "with"
    | "default"
    | "each";
  /** What the condition is about. */
  readonly about: readonly Node[];
  /** The code that runs or not: a function's body, a whole try statement, or the statement that holds a condition. */
  readonly code: Node;
  /** The statement around it. */
  readonly around: Node;
}

/** Conditions get a hook where `isOpen` says that they may depend on the page. */
export function instrument(parsed: readonly Parsed[], hooks: string, isOpen: Test, isChosen: Test) {
  const sites: Site[] = [];
  const scripts = parsed.map((each, at) => ({
    file: `${at}.js`,
    code: new Instrumenter(each, hooks, { isOpen, isChosen }, sites).run(),
  }));
  return { scripts, sites };
}

interface Insertion {
  readonly at: number;
  readonly rank: number;
  readonly text: string;
}

class Instrumenter {
  readonly #parsed: Parsed;
  readonly #hooks: string;
  readonly #isOpen: Test;
  readonly #isChosen: Test;
  readonly #sites: Site[];
  readonly #insertions: Insertion[] = [];
  readonly #known = new Set<Node>();
  readonly #functions = new Map<Node, Node>();
  /** The bodies of catch clauses and the blocks that are tried, each with its try statement. */
  readonly #catches = new Map<Node, Node>();
  readonly #blocks = new Map<Node, Node>();
  /** What is written, and what no hook can stand around. */
  readonly #targets = new Set<Node>();
  readonly #fixed = new Set<Node>();
  #statement: Node;
  #tried: Node | undefined;

  constructor(
    parsed: Parsed,
    hooks: string,
    { isOpen, isChosen }: { readonly isOpen: Test; readonly isChosen: Test },
    sites: Site[],
  ) {
    this.#parsed = parsed;
    this.#hooks = hooks;
    this.#isOpen = isOpen;
    this.#isChosen = isChosen;
    this.#sites = sites;
    this.#statement = parsed.program;
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

  #site(node: Node, kind: Site["kind"], code: Node, about: readonly Node[] = [node]): number {
    const at = { script: this.#parsed.script, start: node.start, end: node.end };
    return this.#sites.push({ at, kind, about, code, around: this.#statement });
  }

  /** Of two at one place, the end of a smaller stretch comes first, and the start of a larger one. */
  #wrap({ start, end }: Node, open: string, close = ""): void {
    const rank = 1e14 - (end - start) * 1e7 + this.#insertions.length;
    if (open !== "") this.#insertions.push({ at: start, rank, text: open });
    if (close !== "") this.#insertions.push({ at: end, rank: -rank, text: close });
  }

  #around(node: Node, hook: string, close = "))"): void {
    this.#wrap(node, `${this.#hooks}.${hook}(`, close);
  }

  #condition(node: AnyNode, close?: string, kind: Site["kind"] = "condition"): void {
    if (node.type === "UnaryExpression" && node.operator === "!")
      this.#condition(node.argument, undefined, kind);
    else if (!this.#known.has(node) && this.#isOpen(node)) {
      this.#known.add(node);
      this.#around(node, `t(${this.#site(node, kind, this.#statement)},`, close);
    }
  }

  /** The receiver of this value may use it as a condition. */
  #passedOn(node: AnyNode | null | undefined): void {
    if (node && /^(?:Call|Member|Ident)/.test(node.type)) this.#condition(node);
  }

  #visit(node: AnyNode): void {
    const [around, tried] = [this.#statement, this.#tried];
    this.#tried = isFunction(node) ? undefined : (this.#blocks.get(node) ?? tried);
    if (/Statement$|^Variable/.test(node.type) && node.type !== "BlockStatement")
      this.#statement = node;
    for (const each of statementsIn(node)) this.#before(each);
    this.#hook(node);
    if (node.type === "WithStatement") {
      // Its object could see the hooks' name.
      this.#site(node, "with", node.body);
      this.#visit(node.object);
    } else for (const child of childrenOf(node)) this.#visit(child);
    [this.#statement, this.#tried] = [around, tried];
  }

  #before(node: AnyNode): void {
    if (node.type === "FunctionDeclaration" || "directive" in node) return;
    const body = this.#functions.get(node);
    const kind = body ? "function" : this.#tried ? "tried" : "statement";
    // Where the rest of a block never ran, it was the catch clause that did.
    const id = this.#site(body ?? node, kind, body ?? this.#tried ?? node);
    this.#wrap(node, `${this.#hooks}.s(${id});`);
  }

  #hook(node: AnyNode): void {
    for (const each of writtenIn(node)) this.#targets.add(each);
    if ("test" in node && node.test && node.type !== "SwitchCase")
      this.#condition(node.test, undefined, LOOPS.test(node.type) ? "loop" : "condition");
    switch (node.type) {
      case "LogicalExpression":
        this.#condition(node.left, node.operator === "??" ? NULLISH : undefined);
        return this.#passedOn(node.right);
      case "ReturnStatement":
        return this.#passedOn(node.argument);
      case "AssignmentPattern":
        return this.#default(node);
      case "AssignmentExpression":
        return /^(?:\|\||&&|\?\?)=$/.test(node.operator) ? this.#default(node) : undefined;
      case "UnaryExpression":
        return node.operator === "!" ? this.#condition(node.argument) : undefined;
      case "BinaryExpression":
        return COMPARES.test(node.operator) ? this.#condition(node) : undefined;
      case "SwitchStatement": {
        const of = this.#site(node, "statement", node);
        this.#around(node.discriminant, `l(${of},`);
        for (const test of node.cases.flatMap((each) => each.test ?? [])) {
          const id = this.#site(test, "condition", node, [node.discriminant, test]);
          this.#around(test, `v(${id},${of},`);
        }
        return undefined;
      }
      case "MemberExpression":
        return this.#member(node);
      case "TryStatement":
        if (node.handler) this.#catches.set(node.handler.body, node);
        return void (node.handler && this.#blocks.set(node.block, node));
      case "BlockStatement":
        return this.#catch(node);
      case "ForInStatement":
      case "ForOfStatement":
        return this.#each(node);
      case "TaggedTemplateExpression":
        return void this.#fixed.add(node.tag);
      case "NewExpression":
      case "ChainExpression":
        return this.#fix("callee" in node ? node.callee : node.expression);
      case "CallExpression":
        return this.#call(node);
      default:
        return isFunction(node) ? this.#function(node) : undefined;
    }
  }

  #catch(node: Node): void {
    const code = this.#catches.get(node);
    if (code) this.#wrap(node, `{${this.#hooks}.s(${this.#site(node, "catch", node)});`, "}");
  }

  /** A list of the page may be empty. */
  #each({ right, body }: ForInStatement | ForOfStatement): void {
    if (this.#isOpen(right))
      this.#wrap(body, `{${this.#hooks}.s(${this.#site(body, "each", body)});`, "}");
  }

  /** A value that the page decides to use or not, where no hook can stand. */
  #default(node: AssignmentPattern | AssignmentExpression): void {
    if (this.#isOpen(node.left)) this.#site(node, "default", node);
  }

  /** No hook can stand around a part of it. */
  #fix(node: AnyNode): void {
    this.#fixed.add(node);
    if (node.type === "MemberExpression") this.#fix(node.object);
    if (node.type === "CallExpression") this.#fix(node.callee);
  }

  #member(node: MemberExpression): void {
    if (node.object.type === "Super") return;
    if (node.optional) this.#condition(node.object, NULLISH);
    const isComputed = node.computed && !isText(node.property);
    const isFree = !this.#targets.has(node) && !this.#fixed.has(node);
    // The page decides which part is read, and whether there is one.
    const isPart = isComputed || this.#isChosen(node.object);
    if (isPart && isFree) this.#condition(node, NULLISH);
  }

  #call(node: CallExpression): void {
    const { callee } = node;
    const [first] = node.arguments;
    this.#fixed.add(callee);
    if (nameOf(callee) === "eval" && first && first.type !== "SpreadElement") {
      this.#wrap(node, `(${this.#hooks}.d()&&`, ")");
      this.#around(first, "e(", `),${String(this.#isOpen(first))})`);
    }
    const method = callee.type === "MemberExpression" ? (propertyOf(callee) ?? "") : "";
    const asks = ASKS.test(method);
    for (const each of MERGES.test(method) ? node.arguments : []) this.#passedOn(each);
    if (asks && !this.#fixed.has(node)) this.#condition(node);
  }

  #function(node: FunctionNode): void {
    const { body } = node;
    const isFirst = (each: Node) => !("directive" in each || each.type === "FunctionDeclaration");
    const first = statementsIn(body).find(isFirst);
    if (first) this.#functions.set(first, body);
    if (body.type === "BlockStatement") return;
    const id = this.#site(body, "function", body);
    this.#wrap(body, `(${this.#hooks}.s(${id}),(`, "))");
    this.#passedOn(body);
  }
}

const LOOPS = /^(?:For|While|DoWhile)Statement$/;
const NULLISH = "),true)";

/** Wherever their results go, something is decided by them. */
const COMPARES = /^(?:[=!]==?|[<>]=?|in|instanceof)$/;
const ASKS =
  /^(?:test|includes|startsWith|endsWith|some|every|has|hasOwnProperty|search|getElementById|querySelector|(?:lastI|i)ndexOf|replace|get)$/;
