// Parsed scripts → the same scripts with hooks in front of statements and around conditions, and what each hook is about.
import type { AnyNode, CallExpression, MemberExpression, Node } from "acorn";
import type { Parsed } from "../read.js";
import type { Stretch } from "../script.js";
import type { Is } from "./names.js";
import { childrenOf, evalsIn, isEval, isFunction, listOf, literalOf, nameOf } from "./tree.js";

/** A place with a hook; its number counts from 1. */
export interface Site {
  readonly at: Stretch;
  /** A statement, the first one of a function or of a catch clause; what is decided; a computed key. */
  readonly kind: "statement" | "entry" | "catch" | "condition" | "read" | "write";
  /** What it goes by. */
  readonly about: readonly Node[];
  /** Of a catch clause, the statements that may throw. */
  readonly throws: readonly number[];
}

export interface Instrumented {
  readonly scripts: readonly { readonly file: string; readonly code: string }[];
  readonly sites: readonly Site[];
}

/** What is open to the outside at most has hooks around its conditions. */
export function instrument(
  parsed: readonly Parsed[],
  hooks: string,
  isOutside: Is,
  isOpen: Is,
): Instrumented {
  const sites: Site[] = [];
  const codes = parsed.map((each) =>
    new Instrumenter(each, hooks, [isOutside, isOpen], sites).run(),
  );
  const scripts = codes.map((code, at) => ({ file: `${at}.js`, code }));
  return { scripts, sites };
}

interface Place {
  /** What is thrown here is caught in the same function. */
  readonly isCaught: boolean;
  /** Nothing can be put around a piece of it. */
  readonly isWhole: boolean;
}

class Instrumenter {
  readonly #parsed: Parsed;
  readonly #hooks: string;
  readonly #isOutside: Is;
  readonly #isOpen: Is;
  readonly #sites: Site[];
  /** What stands around a node, from the outside in. */
  readonly #wraps = new Map<Node, [open: string, close: string][]>();
  readonly #known = new Map<Node, number>();
  readonly #entries = new Map<Node, Node>();
  readonly #targets = new Set<Node>();
  readonly #tries = new Map<Node, Node>();

  constructor(parsed: Parsed, hooks: string, [isOutside, isOpen]: [Is, Is], sites: Site[]) {
    this.#parsed = parsed;
    this.#hooks = hooks;
    this.#isOutside = isOutside;
    this.#isOpen = isOpen;
    this.#sites = sites;
  }

  run(): string {
    const { program, script } = this.#parsed;
    this.#visit(program, { isCaught: false, isWhole: false });
    const texts = [...this.#wraps].flatMap(([{ start, end }, wraps], nth) => {
      const [opens, closes] = [wraps.map(([open]) => open), wraps.map(([, close]) => close)];
      return [
        { at: start, rank: 1e14 - (end - start) * 1e7 + nth, text: opens.join("") },
        { at: end, rank: (end - start) * 1e7 - nth - 1e14, text: closes.toReversed().join("") },
      ];
    });
    // Of two at one place, what ends a smaller stretch comes first, and what begins a larger one.
    texts.sort((one, other) => one.at - other.at || one.rank - other.rank);
    const mark = `/*${this.#hooks}*/`;
    let [code, done] = ["", 0];
    for (const { at, text } of texts) {
      code += script.text.slice(done, at) + (text && mark + text + mark);
      done = at;
    }
    return code + script.text.slice(done);
  }

  #site(node: Node, kind: Site["kind"], about: readonly Node[] = [node], throws: number[] = []) {
    const at = { script: this.#parsed.script, start: node.start, end: node.end };
    const id = this.#sites.push({ at, kind, about, throws });
    this.#known.set(node, id);
    return id;
  }

  #wrap(node: Node, open: string, close: string): void {
    this.#wraps.set(node, [...(this.#wraps.get(node) ?? []), [open, close]]);
  }

  #around(node: Node, hook: string, close = "))"): void {
    this.#wrap(node, `${this.#hooks}.${hook}(`, close);
  }

  #condition(node: Node, close?: string): void {
    const each = node as AnyNode;
    if (each.type === "UnaryExpression" && each.operator === "!") this.#condition(each.argument);
    else if (!this.#known.has(node) && this.#isOpen(node))
      this.#around(node, `t(${this.#site(node, "condition")},`, close);
  }

  /** Whoever it is given to may decide by it. */
  #given(node: Node | null | undefined): void {
    const isPlain = /^(?:Call|Member)Expression$|^Identifier$/.test(node?.type ?? "");
    if (node && isPlain && this.#isOutside(node)) this.#condition(node);
  }

  #visit(node: AnyNode, place: Place): void {
    for (const statement of listOf(node)) this.#statement(statement as AnyNode, place);
    this.#hook(node, place);
    for (const each of evalsIn(node)) this.#wrap(each, `(${this.#hooks}.j||`, ")");
    for (const child of childrenOf(node) as AnyNode[]) {
      const isTried = node.type === "TryStatement" && child === node.block && !!node.handler;
      const isPart =
        (node.type === "MemberExpression" && child === node.object) ||
        (node.type === "CallExpression" && child === node.callee);
      this.#visit(child, {
        isCaught: isTried || (place.isCaught && !isFunction(node)),
        isWhole:
          node.type === "ChainExpression" ||
          (node.type === "NewExpression" && child === node.callee) ||
          (place.isWhole && isPart),
      });
    }
  }

  #statement(node: AnyNode, { isCaught }: Place): void {
    if ("directive" in node || node.type === "FunctionDeclaration") return;
    const entry = this.#entries.get(node);
    const id = this.#site(entry ?? node, entry ? "entry" : "statement", [node]);
    this.#known.set(node, id);
    this.#wrap(node, `${this.#hooks}.s(${id});`, "");
    const isVariable = node.type === "VariableDeclaration" && node.kind === "var";
    const isPlain = isVariable || node.type === "ExpressionStatement";
    if (!isPlain || isCaught || !this.#isOutside(node)) return;
    this.#wrap(node, "try{", `}catch(${this.#hooks}_){${this.#hooks}.x(${this.#hooks}_)}`);
  }

  #hook(node: AnyNode, place: Place): void {
    if ("test" in node && node.test && node.type !== "SwitchCase") this.#condition(node.test);
    switch (node.type) {
      case "LogicalExpression":
        this.#condition(node.left, node.operator === "??" ? NULLISH : undefined);
        return this.#given(node.right);
      case "ReturnStatement":
        return this.#given(node.argument);
      case "UnaryExpression":
        if (node.operator === "!") this.#condition(node.argument);
        if (node.operator === "delete") this.#targets.add(node.argument);
        return undefined;
      case "UpdateExpression":
        return void this.#targets.add(node.argument);
      case "AssignmentExpression":
        return void this.#targets.add(node.left);
      case "BinaryExpression":
        if (!COMPARES.test(node.operator) || !this.#isOpen(node)) return undefined;
        this.#condition(node);
        if (node.left.type !== "PrivateIdentifier")
          this.#around(node.left, `l(${this.#known.get(node) ?? 0},`);
        return this.#around(node.right, `r(${this.#known.get(node) ?? 0},`);
      case "SwitchStatement": {
        const { discriminant, cases } = node;
        const of = this.#site(node, "statement");
        this.#around(discriminant, `l(${of},`);
        for (const { test } of cases) {
          if (!test) continue;
          this.#around(test, `v(${this.#site(test, "condition", [discriminant, test])},${of},`);
        }
        return undefined;
      }
      case "ForInStatement":
      case "ForOfStatement": {
        const id = this.#site(node.right, "condition");
        return this.#around(node.right, `i(${id},`, `),${String(node.type === "ForOfStatement")})`);
      }
      case "MemberExpression":
        return this.#member(node, place);
      case "Property":
        if (!node.computed || literalOf(node.key) !== undefined) return undefined;
        return this.#around(node.key, `k(${this.#site(node.key, "write")},`);
      case "TryStatement":
        return node.handler ? void this.#tries.set(node.handler.body, node.block) : undefined;
      case "BlockStatement":
        return this.#caught(node);
      case "CallExpression":
        return this.#call(node, place);
      default:
        return isFunction(node) ? this.#function(node) : undefined;
    }
  }

  /** Even where it is empty, because the rest of what was tried is left out. */
  #caught(node: Node): void {
    const tried = this.#tries.get(node);
    if (!tried) return;
    const may = listOf(tried as AnyNode).filter(this.#isOutside);
    const throws = may.flatMap((each) => this.#known.get(each) ?? []);
    const id = this.#site(node, "catch", [tried], throws);
    this.#wrap(node, `{${this.#hooks}.s(${id});`, "}");
  }

  #member(node: MemberExpression, { isWhole }: Place): void {
    if (node.object.type === "Super") return;
    if (node.optional) this.#condition(node.object, NULLISH);
    if (node.computed && literalOf(node.property) === undefined) {
      const kind = this.#targets.has(node) ? "write" : "read";
      const id = this.#site(node.property, kind);
      if (!isWhole) this.#around(node.object, `o(${id},`);
      this.#around(node.property, `k(${id},`);
    } else if (!isWhole && this.#isOutside(node.object)) this.#around(node.object, "g(");
  }

  #call(node: CallExpression, { isWhole }: Place): void {
    const { callee, arguments: args } = node;
    const [first] = args;
    const isMember = callee.type === "MemberExpression";
    if (isMember && !isWhole && ASKS.test(nameOf(callee.property) ?? "")) this.#condition(node);
    if (first && first.type !== "SpreadElement" && isEval(callee))
      this.#around(first, "e(", `),${String(this.#isOutside(first))})`);
    const others = [isMember ? callee.object : callee, ...args].filter((each) => !isFunction(each));
    if (!others.some(this.#isOutside)) return;
    for (const each of args) if (isFunction(each)) this.#around(each, "f(");
  }

  #function(node: AnyNode & { readonly body: Node }): void {
    const { body } = node;
    const isFirst = (each: Node) => !("directive" in each) && each.type !== "FunctionDeclaration";
    const first = listOf(body as AnyNode).find(isFirst);
    if (first) this.#entries.set(first, body);
    if (body.type === "BlockStatement") return;
    this.#wrap(body, `(${this.#hooks}.s(${this.#site(body, "entry")}),(`, "))");
    // It may be a condition, too.
    this.#known.delete(body);
    this.#given(body);
  }
}

const NULLISH = "),true)";

/** What they give is a choice, wherever it goes. */
const COMPARES = /^(?:[=!]==?|[<>]=?|in|instanceof)$/;
const ASKS = /^(?:test|includes|startsWith|endsWith|some|every|hasOwnProperty|has)$/;
