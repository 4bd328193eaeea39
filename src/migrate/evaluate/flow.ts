// Finds which code may depend on the page, by names: coarse, and never too little.
import type { AnyNode, CallExpression, NewExpression, Node, Program } from "acorn";
import {
  childrenOf,
  isFunction,
  nameOf,
  namesIn,
  allNodesOf,
  nodesOf,
  propertyOf,
  writtenIn,
  type FunctionNode,
} from "./tree.js";

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
  /** Asked for where they may be missing: what the scripts declare under the same name may be another variable. */
  const asked = new Set<string>();
  const targets = new Set<Node>();
  const outer = new Set(programs.flatMap(({ body }) => (body as AnyNode[]).flatMap(declaredBy)));
  for (const node of allNodesOf(programs)) {
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
    const isTyped = node.type === "UnaryExpression" && node.operator === "typeof";
    const looked = member
      ? propertyOf(node)
      : isIn
        ? nameOf(node.left)
        : isTyped && !outer.has(nameOf(node.argument) ?? "")
          ? nameOf(node.argument)
          : undefined;
    if (looked !== undefined && !targets.has(node)) asked.add(looked);
    if (node.type === "VariableDeclarator" && node.init)
      for (const each of nodesOf(node.init))
        if (nameOf(each) === nameOf(node.id)) asked.add(nameOf(node.id) ?? "");
  }
  const isFree = (name: string) => (!declared.has(name) || asked.has(name)) && !LANGUAGE.has(name);
  return {
    free: [...new Set([...read, ...asked])].filter(isFree),
    own: new Set([...declared, ...assigned]),
    lexical: programs.flatMap(({ body }) => (body as AnyNode[]).flatMap(lexicalIn)),
  };
}

function declaredBy(node: AnyNode): string[] {
  if (node.type === "FunctionDeclaration") return node.id ? namesIn(node.id) : [];
  return node.type === "VariableDeclaration"
    ? node.declarations.flatMap(({ id }) => namesIn(id))
    : lexicalIn(node);
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

/** What the pages over http answer differently. */
export const PROTOCOL = "location.protocol";
/** The names "location" of which nothing but the protocol is read. */
const HOLDERS = new WeakSet<Node>();

function isProtocol(node: AnyNode): boolean {
  if (node.type !== "MemberExpression" || propertyOf(node) !== "protocol") return false;
  const { object } = node;
  const holder = object.type === "MemberExpression" ? object.property : object;
  if (nameOf(holder) !== "location") return false;
  HOLDERS.add(holder);
  return true;
}

/** The names that a node mentions; "document" where any name of the window may be meant. */
function mentionedBy(node: AnyNode): string[] {
  if (node.type === "Identifier") return HOLDERS.has(node) ? [] : [node.name];
  if (isProtocol(node)) return [PROTOCOL];
  if (node.type === "BinaryExpression" && node.operator === "in" && isWindow(node.right))
    return ["document"];
  if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
    const { object } = node.callee;
    const isOfParts = /^(?:Object|JSON)$/.test(nameOf(object) ?? "");
    if (isOfParts && node.arguments.some(isWindow)) return ["document"];
    if (isOfParts) return node.arguments.flatMap(namesIn).map(partOf);
    const isAsked = isWindow(object) && propertyOf(node.callee) === "hasOwnProperty";
    return isAsked ? ["document"] : [];
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

/** What is thrown anywhere. */
const THROWN = "throw";
/** A method that puts its arguments into its object, or runs it with them. */
const CHANGES = /^(?:push|unshift|splice|fill|set|add|append|call|apply|bind)$/;
/** One that puts its other arguments into the first. */
export const MERGES =
  /^(?:assign|mixin|extend|defaults|define(?:Property|Properties)|set|Function|freeze|seal|preventExtensions)$/;

/** By the name that leads to it. */
export function functionsIn(programs: readonly Program[]): ReadonlyMap<string, FunctionNode[]> {
  const found = new Map<string, FunctionNode[]>();
  for (const node of allNodesOf(programs)) {
    const { id, left, key, init, right, value } = node as unknown as Record<string, AnyNode | null>;
    const fn = [node, init, right, value].find((each) => each && isFunction(each));
    const target = id ?? left ?? key;
    for (const name of fn && target ? namesIn(target) : [])
      found.set(name, [...(found.get(name) ?? []), fn as FunctionNode]);
  }
  return found;
}

/** What a function is called with flows to its name, and from there to its parameters. */
export function sourcesIn(programs: readonly Program[]): Sources {
  const sources = new Map<string, Set<string>>();
  const functions = functionsIn(programs);
  for (const node of allNodesOf(programs)) isProtocol(node);
  const add = (names: readonly string[], from: readonly Node[], also: readonly string[] = []) => {
    if (names.length === 0) return;
    const all = [...allNodesOf(from).flatMap(mentionedBy), ...also];
    for (const name of names) {
      const known = sources.get(name) ?? new Set();
      sources.set(name, known);
      for (const each of all) known.add(each);
    }
  };
  const call = (node: CallExpression | NewExpression) => {
    const { callee } = node;
    const inner = callee.type === "MemberExpression" ? callee.object : callee;
    const all: AnyNode[] = [inner, ...node.arguments];
    add(namesIn(callee), node.arguments);
    for (const fn of all) {
      const others = all.filter((each) => each !== fn);
      if (isFunction(fn)) {
        add(others.length > 0 ? [unnamed(fn)] : [], others);
        if (others.some(isWindow)) add(fn.params.flatMap(namesIn).map(partOf), [], ["document"]);
      } else if (fn !== inner)
        add(
          namesIn(fn).filter((name) => functions.has(name)),
          others,
        );
    }
    if (callee.type !== "MemberExpression") return;
    const method = propertyOf(callee) ?? "";
    const [first, ...rest] = node.arguments;
    if (CHANGES.test(method)) add(namesIn(inner), node.arguments);
    else if (MERGES.test(method) && first) add([first].flatMap(namesIn), rest);
  };
  /** `names` are those of the function around the node. */
  const visit = (node: AnyNode, names: readonly string[]): void => {
    let [own, held]: [readonly string[], AnyNode | null | undefined] = [names, undefined];
    const { id, left, key, init, right, value } = node as unknown as Record<string, AnyNode | null>;
    const target =
      id ?? (left?.type === "VariableDeclaration" ? left.declarations[0]?.id : left) ?? key;
    if (isFunction(node)) {
      own = [...names, ...(node.id ? namesIn(node.id) : []), unnamed(node)];
      add([...node.params.flatMap(namesIn), "arguments"], [], own);
      if (node.body.type !== "BlockStatement") add(own, [node.body]);
    } else if (/^(?:Variable|Assignment|For|Property|Method)/.test(node.type))
      held = init ?? right ?? value;
    // What two names are assigned at once has both.
    const others: AnyNode[] = [];
    for (; held?.type === "AssignmentExpression" && held.operator === "="; held = held.right)
      others.push(held.left);
    // The parts of a new object flow to its properties.
    const isMade = !held || isFunction(held) || held.type === "ObjectExpression";
    if (target && held) {
      add(namesIn(target), isMade ? others : [...others, held]);
      if (held.type === "ObjectExpression") add(namesIn(target).map(partOf), [held]);
      if (isWindow(held)) {
        // The names of a page are different ones, and so is what they hold.
        const isListed = node.type === "ForInStatement" || target.type === "ObjectPattern";
        add(isListed ? namesIn(target) : namesIn(target).map(partOf), [], ["document"]);
      }
    }
    if (node.type === "ReturnStatement" || node.type === "YieldExpression")
      add(names, node.argument ? [node.argument] : [], [unnamed(node)]);
    if (node.type === "Property" && node.computed) add([keysOf(LITERAL)], [node.key]);
    for (const written of writtenIn(node))
      if (written.type === "MemberExpression" && propertyOf(written) === undefined)
        add(namesIn(written.object).map(keysOf), [written.property]);
    if (node.type === "TaggedTemplateExpression") add(namesIn(node.tag), node.quasi.expressions);
    if (node.type === "ThrowStatement") add([THROWN], [node.argument]);
    if (node.type === "CatchClause" && node.param) add(namesIn(node.param), [], [THROWN]);
    if (node.type === "CallExpression" || node.type === "NewExpression") call(node);
    for (const child of childrenOf(node)) {
      const isNamed = child === held && isFunction(child) && target;
      visit(child, isNamed ? namesIn(target) : isFunction(child) ? [] : own);
    }
  };
  for (const program of programs) visit(program, []);
  return sources;
}

/** By name, the names that its value may flow to. */
const flows = new WeakMap<Sources, Map<string, string[]>>();

function flowsOf(sources: Sources): Map<string, string[]> {
  const known = flows.get(sources) ?? new Map<string, string[]>();
  if (!flows.has(sources))
    for (const [name, from] of sources)
      for (const each of from) {
        const to = known.get(each);
        if (to) to.push(name);
        else known.set(each, [name]);
      }
  flows.set(sources, known);
  return known;
}

/** The names whose values may come from one of these. */
export function reachedFrom(roots: Iterable<string>, sources: Sources): ReadonlySet<string> {
  const all = flowsOf(sources);
  const reached = new Set(roots);
  // A set hands out what is added meanwhile, too.
  for (const name of reached) for (const each of all.get(name) ?? []) reached.add(each);
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

/** Tests whether code reads a part of an object whose keys may come from one of these names. */
export function readsChosen(roots: Iterable<string>, sources: Sources): Test {
  const reached = reachedFrom(roots, sources);
  const suffix = keysOf("");
  const chosen = [...reached].filter((each) => each.endsWith(suffix));
  return dependsOn(
    chosen.map((each) => each.slice(0, -suffix.length)),
    sources,
  );
}

/** What browsers have, and each page or visit differently. */
export const OF_THE_PAGE =
  "location location.protocol document navigator screen Date random localStorage sessionStorage history performance innerWidth innerHeight outerWidth outerHeight devicePixelRatio require define top parent frames opener toLocaleString toLocaleDateString localeCompare Intl URL URLSearchParams".split(
    " ",
  );

/** The same in each page. */
const LANGUAGE: ReadonlySet<string> = new Set(
  "undefined NaN Infinity Object Array String Number Boolean Symbol BigInt Function RegExp Error TypeError RangeError SyntaxError Math JSON Map Set WeakMap Promise Proxy Reflect parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape eval arguments console window self globalThis setTimeout setInterval clearTimeout clearInterval addEventListener".split(
    " ",
  ),
);
