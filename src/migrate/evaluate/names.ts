// Programs → the names that they use and none of them defines, and what may come from those: by name, coarse, and never too little.
import type { AnyNode, Node, Program } from "acorn";
import { childrenOf, isFunction, literalOf, nameOf, namesIn, nodesOf } from "./tree.js";

export interface Names {
  /** Used as if they were there. */
  readonly used: readonly string[];
  /** Looked for in the window, where what is missing is undefined. */
  readonly lookedFor: readonly string[];
  /** What let, const and class declare, which no object holds. */
  readonly lexical: readonly string[];
  /** Given a value without being declared, which a strict script may not. */
  readonly assigned: ReadonlySet<string>;
  /** Given a value in some way. */
  readonly given: ReadonlySet<string>;
  /** By name of a variable or a property, the names that its value may come from. */
  readonly sources: ReadonlyMap<string, ReadonlySet<string>>;
}

export function namesOf(programs: readonly Program[]): Names {
  const [used, lookedFor, assigned, given] = [0, 0, 0, 0].map(() => new Set<string>()) as Sets;
  const declared = new Set<string>();
  const targets = new Set<Node>();
  const lexical: string[] = [];
  for (const program of programs) {
    for (const each of program.body as AnyNode[]) {
      const isLexical = each.type === "VariableDeclaration" && each.kind !== "var";
      if (isLexical) lexical.push(...each.declarations.flatMap(({ id }) => namesIn(id)));
      if (each.type === "ClassDeclaration" && each.id) lexical.push(each.id.name);
    }
    for (const node of nodesOf(program)) {
      if (node.type === "AssignmentExpression" && node.operator === "=") targets.add(node.left);
      for (const [field, held] of Object.entries(node) as [string, unknown][]) {
        const isKey = /^(?:key|property)$/.test(field) && "computed" in node && !node.computed;
        if (isKey || field === "label") continue;
        const isDeclared = /^(?:id|params|param)$/.test(field);
        for (const each of [held].flat() as (AnyNode | null)[]) {
          if (isDeclared && each?.type) for (const name of namesIn(each)) declared.add(name);
          else if (each?.type === "Identifier")
            (targets.has(each) ? assigned : used).add(each.name);
        }
      }
      if (node.type === "MemberExpression" && isWindow(node.object)) {
        const name = node.computed ? literalOf(node.property) : nameOf(node.property);
        if (name !== undefined) (targets.has(node) ? given : lookedFor).add(name);
      }
      if (node.type === "BinaryExpression" && node.operator === "in" && isWindow(node.right)) {
        const name = literalOf(node.left);
        if (name !== undefined) lookedFor.add(name);
      }
    }
  }
  const isFree = (name: string) => !declared.has(name);
  return {
    used: [...used].filter((name) => isFree(name) && !assigned.has(name) && !given.has(name)),
    lookedFor: [...lookedFor].filter(
      (name) => isFree(name) && (!used.has(name) || given.has(name)),
    ),
    lexical,
    assigned,
    given: new Set([...given, ...assigned, ...declared]),
    sources: sourcesIn(programs),
  };
}

type Sets = [Set<string>, Set<string>, Set<string>, Set<string>];

function isWindow(node: Node): boolean {
  const each = node as AnyNode;
  return each.type === "ThisExpression" || (each.type === "Identifier" && WINDOWS.test(each.name));
}

const WINDOWS = /^(?:window|self|top|parent|frames|globalThis)$/;

/** What a node adds to the names in a piece. */
function nameAt(node: AnyNode): string[] {
  if (node.type === "Identifier") return [node.name];
  // What others have put into the window is listed.
  if (
    node.type === "CallExpression" &&
    node.callee.type === "MemberExpression" &&
    nameOf(node.callee.object) === "Object" &&
    node.arguments.some(isWindow)
  )
    return ["document"];
  if (node.type !== "MemberExpression" || !node.computed) return [];
  const key = literalOf(node.property);
  if (key !== undefined) return [key];
  // A name that is put together may be any of the window's.
  if (isWindow(node.object)) return ["document"];
  return namesIn(node.object).map(partOf);
}

/** Some part of what a name holds. */
function partOf(name: string): string {
  return `${name}[]`;
}

/** What a function is called with comes to its name, and from there to its parameters. */
function sourcesIn(programs: readonly Program[]): Map<string, Set<string>> {
  const sources = new Map<string, Set<string>>();
  const add = (names: readonly string[], from: readonly Node[], also: readonly string[] = []) => {
    const all = [...from.flatMap((each) => [...nodesOf(each)].flatMap(nameAt)), ...also];
    for (const name of names) sources.set(name, new Set([...(sources.get(name) ?? []), ...all]));
  };
  const hidden = (fn: Node) => `@${fn.start}`;
  const visit = (node: AnyNode, names: readonly string[]): void => {
    let [own, held]: [readonly string[], Node | null | undefined] = [names, undefined];
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
    if (target && held) add(namesIn(target), isMade ? [] : [held]);
    if (target && held && isWindow(held)) add(namesIn(target).map(partOf), [], ["document"]);
    if ((node.type === "ReturnStatement" || node.type === "YieldExpression") && node.argument)
      add(names, [node.argument]);
    if (node.type === "CallExpression" || node.type === "NewExpression") {
      const inner = node.callee.type === "MemberExpression" ? node.callee.object : node.callee;
      const all = [inner, ...node.arguments];
      add(namesIn(node.callee), node.arguments);
      for (const fn of (all as AnyNode[]).filter(isFunction)) {
        add(
          [hidden(fn)],
          all.filter((each) => each !== fn),
        );
        if (all.some(isWindow)) add(fn.params.flatMap(namesIn).map(partOf), [], ["document"]);
      }
    }
    for (const child of childrenOf(node) as AnyNode[])
      visit(
        child,
        child === held && isFunction(child) && target
          ? namesIn(target)
          : isFunction(child)
            ? []
            : own,
      );
  };
  for (const program of programs) visit(program, []);
  return sources;
}

export type Is = (node: Node) => boolean;

/** What may come from these names, by name. */
export function reachedFrom(roots: Iterable<string>, sources: Names["sources"]): Set<string> {
  const open = new Set(roots);
  for (let size = 0; size < open.size;) {
    size = open.size;
    for (const [name, from] of sources)
      if ([...from].some((each) => open.has(each))) open.add(name);
  }
  return open;
}

/** Whether a piece may depend on one of these names. */
export function dependsOn(roots: Iterable<string>, sources: Names["sources"]): Is {
  const open = reachedFrom(roots, sources);
  const known = new Map<Node, boolean>();
  const is = (node: Node): boolean => {
    const found =
      known.get(node) ??
      (nameAt(node as AnyNode).some((each) => open.has(each)) || childrenOf(node).some(is));
    known.set(node, found);
    return found;
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
