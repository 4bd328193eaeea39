// Programs → the names that they use and none of them defines, and what may come from those: by name, coarse, and never too little.
import type { AnyNode, Node, Program } from "acorn";
import { childrenOf, isFunction, nameOf, namesIn, nodesOf, propertyOf } from "./tree.js";

/** By name of a variable or a property, the names that its value may come from. */
export type Sources = ReadonlyMap<string, ReadonlySet<string>>;

export interface Names {
  /** Used as if they were there. */
  readonly used: readonly string[];
  /** Looked for in the window, where what is missing is undefined. */
  readonly tested: readonly string[];
  /** What let, const and class declare, which no object holds. */
  readonly lexical: readonly string[];
  /** Given a value without being declared, which a strict script may not. */
  readonly assigned: ReadonlySet<string>;
  /** Somewhere in the scripts, or in a text of theirs that may be code: no other script is to blame where one is missing. */
  readonly declared: ReadonlySet<string>;
  readonly sources: Sources;
}

export function namesOf(programs: readonly Program[]): Names {
  const [used, tested, assigned, given, declared] = [0, 0, 0, 0, 0].map(() => new Set<string>());
  if (!used || !tested || !assigned || !given || !declared) throw new TypeError("no names");
  const spelled = new Set<string>();
  const targets = new Set<Node>();
  for (const node of nodesIn(programs)) {
    if (node.type === "AssignmentExpression" && node.operator === "=") targets.add(node.left);
    if (node.type === "Literal" && typeof node.value === "string")
      for (const [, name = ""] of node.value.matchAll(DECLARATION)) spelled.add(name);
    for (const [field, held] of Object.entries(node) as [string, unknown][]) {
      const isKey = /^(?:key|property)$/.test(field) && "computed" in node && !node.computed;
      if (isKey || field === "label") continue;
      for (const each of [held].flat() as (AnyNode | null)[]) {
        if (/^(?:id|params|param)$/.test(field) && each?.type)
          for (const name of namesIn(each)) declared.add(name);
        else if (each?.type === "Identifier") (targets.has(each) ? assigned : used).add(each.name);
      }
    }
    const looked =
      node.type === "MemberExpression" && isWindow(node.object)
        ? propertyOf(node)
        : node.type === "BinaryExpression" && node.operator === "in" && isWindow(node.right)
          ? nameOf(node.left)
          : undefined;
    if (looked !== undefined) (targets.has(node) ? given : tested).add(looked);
  }
  const isFree = (name: string) => !declared.has(name);
  return {
    used: [...used].filter(
      (name) => isFree(name) && !assigned.has(name) && !given.has(name) && !spelled.has(name),
    ),
    tested: [...tested, ...spelled].filter(
      (name) => isFree(name) && (spelled.has(name) || !used.has(name) || given.has(name)),
    ),
    lexical: programs.flatMap(({ body }) => (body as AnyNode[]).flatMap(lexicalIn)),
    assigned,
    declared: new Set([...declared, ...spelled]),
    sources: sourcesIn(programs),
  };
}

const DECLARATION = /\b(?:var|let|const|class|function\*?)\s+([\w$]+)/g;

function* nodesIn(programs: readonly Program[]): Generator<AnyNode> {
  for (const each of programs) yield* nodesOf(each);
}

function lexicalIn(node: AnyNode): string[] {
  if (node.type === "ClassDeclaration") return node.id ? namesIn(node.id) : [];
  const isVariable = node.type === "VariableDeclaration" && node.kind !== "var";
  return isVariable ? node.declarations.flatMap(({ id }) => namesIn(id)) : [];
}

function isWindow(node: Node): boolean {
  return node.type === "ThisExpression" || WINDOWS.test(nameOf(node) ?? "");
}

const WINDOWS = /^(?:window|self|top|parent|frames|globalThis)$/;

/** What a node adds to the names in a piece; what leads to any name of the window leads outside. */
function nameAt(node: AnyNode): string[] {
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
  if (node.type !== "MemberExpression" || !node.computed) return [];
  const key = propertyOf(node);
  if (key !== undefined) return [key];
  return isWindow(node.object) ? ["document"] : namesIn(node.object).map(partOf);
}

/** Some part of what a name holds. */
function partOf(name: string): string {
  return `${name}[]`;
}

/** What a function is called with comes to its name, and from there to its parameters. */
function sourcesIn(programs: readonly Program[]): Sources {
  const sources = new Map<string, Set<string>>();
  const add = (names: readonly string[], from: readonly Node[], also: readonly string[] = []) => {
    if (names.length === 0) return;
    const all = [...from.flatMap((each) => [...nodesOf(each)].flatMap(nameAt)), ...also];
    for (const name of names) {
      const known = sources.get(name) ?? new Set();
      sources.set(name, known);
      for (const each of all) known.add(each);
    }
  };
  const hidden = (fn: Node) => `@${fn.start}`;
  const visit = (node: AnyNode, names: readonly string[]): void => {
    let [own, held]: [readonly string[], AnyNode | null | undefined] = [names, undefined];
    const { id, left, key, init, right, value } = node as unknown as Record<string, AnyNode | null>;
    const target =
      id ?? (left?.type === "VariableDeclaration" ? left.declarations[0]?.id : left) ?? key;
    if (isFunction(node)) {
      own = [...names, ...(node.id ? namesIn(node.id) : []), hidden(node)];
      add(node.params.flatMap(namesIn), [], own);
      if (node.body.type !== "BlockStatement") add(own, [node.body]);
    } else if (/^(?:Variable|Assignment|For|Property|Method)/.test(node.type))
      held = init ?? right ?? value;
    // What a new object is made of goes to its properties.
    const isMade = !held || isFunction(held) || held.type === "ObjectExpression";
    if (target && held) {
      add(namesIn(target), isMade ? [] : [held]);
      if (isWindow(held)) add(namesIn(target).map(partOf), [], ["document"]);
    }
    if (node.type === "ReturnStatement" || node.type === "YieldExpression")
      add(names, node.argument ? [node.argument] : []);
    if (node.type === "CallExpression" || node.type === "NewExpression") {
      const inner = node.callee.type === "MemberExpression" ? node.callee.object : node.callee;
      const all: AnyNode[] = [inner, ...node.arguments];
      add(namesIn(node.callee), node.arguments);
      for (const fn of all.filter(isFunction)) {
        const others = all.filter((each) => each !== fn);
        add(others.length > 0 ? [hidden(fn)] : [], others);
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

export type Is = (node: Node) => boolean;

/** What may come from these names, by name. */
export function reachedFrom(roots: Iterable<string>, sources: Sources): Set<string> {
  const open = new Set(roots);
  for (let size = 0; size < open.size;) {
    size = open.size;
    for (const [name, from] of sources)
      if (!open.has(name) && [...from].some((each) => open.has(each))) open.add(name);
  }
  return open;
}

/** Whether a piece may depend on one of these names. */
export function dependsOn(roots: Iterable<string>, sources: Sources): Is {
  const open = reachedFrom(roots, sources);
  const known = new Map<Node, boolean>();
  const is = (node: Node): boolean => {
    const found = known.get(node);
    if (found !== undefined) return found;
    const children = childrenOf(node);
    const isOne = nameAt(node as AnyNode).some((each) => open.has(each)) || children.some(is);
    if (children.length > 0) known.set(node, isOne);
    return isOne;
  };
  return is;
}

/** Names that lead out of the script, in every world. */
export const OUTSIDE =
  "location document navigator screen Date random localStorage sessionStorage history performance innerWidth innerHeight outerWidth outerHeight devicePixelRatio require define top parent frames opener toLocaleString toLocaleDateString localeCompare Intl URL URLSearchParams".split(
    " ",
  );

/** The same in every world. */
export const LANGUAGE: ReadonlySet<string> = new Set(
  "undefined NaN Infinity Object Array String Number Boolean Symbol BigInt Function RegExp Error TypeError RangeError SyntaxError Math JSON Map Set WeakMap Promise Proxy Reflect parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape eval arguments console window self globalThis setTimeout setInterval clearTimeout clearInterval addEventListener".split(
    " ",
  ),
);
