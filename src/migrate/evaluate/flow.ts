// Finds which code may depend on the page, by names: coarse, and never too little.
import type { AnyNode, Node, Program } from "acorn";
import { childrenOf, isFunction, nameOf, namesIn, nodesOf, propertyOf, writtenIn } from "./tree.js";

/** By name of a variable or a property, the names that its value may come from. */
export type Sources = ReadonlyMap<string, ReadonlySet<string>>;

export interface Names {
  /** Read, and declared nowhere in the scripts: other scripts may define them. */
  readonly free: readonly string[];
  /** Declared or assigned in the scripts, or in a text that may be code. */
  readonly own: ReadonlySet<string>;
  /** Declared with let, const and class, which no object holds. */
  readonly lexical: readonly string[];
}

const DECLARATION = /\b(?:var|let|const|class|function\*?)\s+([\w$]+)/g;

export function namesOf(programs: readonly Program[]): Names {
  const read = new Set<string>();
  const declared = new Set<string>();
  const assigned = new Set<string>();
  const targets = new Set<Node>();
  for (const node of programs.flatMap((each) => [...nodesOf(each)])) {
    if (node.type === "AssignmentExpression" && node.operator === "=") targets.add(node.left);
    if (node.type === "Literal" && typeof node.value === "string")
      for (const [, name = ""] of node.value.matchAll(DECLARATION)) assigned.add(name);
    for (const [field, held] of Object.entries(node) as [string, unknown][]) {
      const isKey = /^(?:key|property)$/.test(field) && "computed" in node && !node.computed;
      if (isKey || field === "label") continue;
      for (const each of [held].flat() as (AnyNode | null)[]) {
        if (/^(?:id|params|param)$/.test(field) && each?.type)
          for (const name of namesIn(each)) declared.add(name);
        else if (each?.type === "Identifier") (targets.has(each) ? assigned : read).add(each.name);
      }
    }
    const member = node.type === "MemberExpression" && isWindow(node.object);
    const isIn = node.type === "BinaryExpression" && node.operator === "in" && isWindow(node.right);
    for (const name of namesInCode(node)) read.add(name);
    const looked = member ? propertyOf(node) : isIn ? nameOf(node.left) : undefined;
    if (looked !== undefined && !targets.has(node)) read.add(looked);
  }
  const isFree = (name: string) => !declared.has(name) && !LANGUAGE.has(name);
  return {
    free: [...read].filter(isFree),
    own: new Set([...declared, ...assigned]),
    lexical: programs.flatMap(({ body }) => (body as AnyNode[]).flatMap(lexicalIn)),
  };
}

function lexicalIn(node: AnyNode): string[] {
  if (node.type === "ClassDeclaration") return node.id ? namesIn(node.id) : [];
  const isVariable = node.type === "VariableDeclaration" && node.kind !== "var";
  return isVariable ? node.declarations.flatMap(({ id }) => namesIn(id)) : [];
}

function isWindow(node: Node): boolean {
  const each = node as AnyNode;
  if (each.type === "MemberExpression")
    return isWindow(each.object) && WINDOWS.test(propertyOf(each) ?? "");
  return each.type === "ThisExpression" || WINDOWS.test(nameOf(each) ?? "");
}

const WINDOWS = /^(?:window|self|top|parent|opener|frames|globalThis)$/;

/** The names in a text that eval runs. */
function namesInCode(node: AnyNode): string[] {
  if (node.type !== "CallExpression" || nameOf(node.callee) !== "eval") return [];
  return node.arguments.flatMap((each) => (nameOf(each) ?? "").match(/[\w$]+/g) ?? []);
}

/** The names that a node mentions; "document" where any name of the window may be meant. */
function mentionedBy(node: AnyNode): string[] {
  if (node.type === "Identifier") return [node.name];
  if (node.type === "BinaryExpression" && node.operator === "in" && isWindow(node.right))
    return ["document"];
  if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
    const { object } = node.callee;
    const isOfAny = nameOf(object) === "Object" && node.arguments.some(isWindow);
    return isOfAny || (isWindow(object) && propertyOf(node.callee) === "hasOwnProperty")
      ? ["document"]
      : [];
  }
  if (node.type === "CallExpression") return namesInCode(node);
  if (node.type !== "MemberExpression" || !node.computed) return [];
  const key = propertyOf(node);
  if (key !== undefined) return [key];
  return isWindow(node.object) ? ["document"] : namesIn(node.object).map(partOf);
}

/** A part of what a name holds, under a key that is computed. */
function partOf(name: string): string {
  return `${name}[]`;
}

/** The name that the keys flow to under which a part of the named object is written. */
export function keysOf(name: string): string {
  return `${name}[=]`;
}

/** An object that has no name. */
export const LITERAL = "{}";

/** The name that a function without one flows to, and the value of a return statement. */
export function unnamed({ start }: Node): string {
  return `@${start}`;
}

/** What a function is called with flows to its name, and from there to its parameters. */
export function sourcesIn(programs: readonly Program[]): Sources {
  const sources = new Map<string, Set<string>>();
  const add = (names: readonly string[], from: readonly Node[], also: readonly string[] = []) => {
    if (names.length === 0) return;
    const all = [...from.flatMap((each) => [...nodesOf(each)].flatMap(mentionedBy)), ...also];
    for (const name of names) {
      const known = sources.get(name) ?? new Set();
      sources.set(name, known);
      for (const each of all) known.add(each);
    }
  };
  /** `names` are those of the function around the node. */
  const visit = (node: AnyNode, names: readonly string[]): void => {
    let [own, held]: [readonly string[], AnyNode | null | undefined] = [names, undefined];
    const { id, left, key, init, right, value } = node as unknown as Record<string, AnyNode | null>;
    const target =
      id ?? (left?.type === "VariableDeclaration" ? left.declarations[0]?.id : left) ?? key;
    if (isFunction(node)) {
      own = [...names, ...(node.id ? namesIn(node.id) : []), unnamed(node)];
      add(node.params.flatMap(namesIn), [], own);
      if (node.body.type !== "BlockStatement") add(own, [node.body]);
    } else if (/^(?:Variable|Assignment|For|Property|Method)/.test(node.type))
      held = init ?? right ?? value;
    // The parts of a new object flow to its properties.
    const isMade = !held || isFunction(held) || held.type === "ObjectExpression";
    if (target && held) {
      add(namesIn(target), isMade ? [] : [held]);
      if (isWindow(held)) {
        // The names of a page are different ones, and so is what they hold.
        const isListed = node.type === "ForInStatement";
        add(isListed ? namesIn(target) : namesIn(target).map(partOf), [], ["document"]);
      }
    }
    if (node.type === "ReturnStatement" || node.type === "YieldExpression")
      add(names, node.argument ? [node.argument] : [], [unnamed(node)]);
    if (node.type === "Property" && node.computed) add([keysOf(LITERAL)], [node.key]);
    for (const written of writtenIn(node))
      if (written.type === "MemberExpression" && propertyOf(written) === undefined)
        add(namesIn(written.object).map(keysOf), [written.property]);
    if (node.type === "CallExpression" || node.type === "NewExpression") {
      const inner = node.callee.type === "MemberExpression" ? node.callee.object : node.callee;
      const all: AnyNode[] = [inner, ...node.arguments];
      add(namesIn(node.callee), node.arguments);
      for (const fn of all.filter(isFunction)) {
        const others = all.filter((each) => each !== fn);
        add(others.length > 0 ? [unnamed(fn)] : [], others);
        if (others.some(isWindow)) add(fn.params.flatMap(namesIn).map(partOf), [], ["document"]);
      }
    }
    for (const child of childrenOf(node)) {
      const isNamed = child === held && isFunction(child) && target;
      visit(child, isNamed ? namesIn(target) : isFunction(child) ? [] : own);
    }
  };
  for (const program of programs) visit(program, []);
  return sources;
}

/** The names whose values may come from one of these. */
export function reachedFrom(roots: Iterable<string>, sources: Sources): ReadonlySet<string> {
  const reached = new Set(roots);
  for (let size = 0; size < reached.size;) {
    size = reached.size;
    for (const [name, from] of sources)
      if (!reached.has(name) && [...from].some((each) => reached.has(each))) reached.add(name);
  }
  return reached;
}

export type Test = (node: Node) => boolean;

/** Tests whether code mentions one of these names, or one whose value may come from them. */
export function dependsOn(roots: Iterable<string>, sources: Sources): Test {
  const reached = reachedFrom(roots, sources);
  const known = new Map<Node, boolean>();
  const test = (node: Node): boolean => {
    const found = known.get(node);
    if (found !== undefined) return found;
    const children = childrenOf(node);
    const is =
      mentionedBy(node as AnyNode).some((each) => reached.has(each)) || children.some(test);
    if (children.length > 0) known.set(node, is);
    return is;
  };
  return test;
}

/** What browsers have, and each page or visit differently. */
export const OF_THE_PAGE =
  "location document navigator screen Date random localStorage sessionStorage history performance innerWidth innerHeight outerWidth outerHeight devicePixelRatio require define top parent frames opener toLocaleString toLocaleDateString localeCompare Intl URL URLSearchParams".split(
    " ",
  );

/** The same in each page. */
const LANGUAGE: ReadonlySet<string> = new Set(
  "undefined NaN Infinity Object Array String Number Boolean Symbol BigInt Function RegExp Error TypeError RangeError SyntaxError Math JSON Map Set WeakMap Promise Proxy Reflect parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape eval arguments console window self globalThis setTimeout setInterval clearTimeout clearInterval addEventListener".split(
    " ",
  ),
);
