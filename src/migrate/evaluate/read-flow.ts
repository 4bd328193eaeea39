// Programs → what may flow into what, by name: coarse, and never too little, because it tells what a branch that no world entered may change.
import type { AnyNode, Node, Program } from "acorn";
import type { Branches } from "./instrument.js";
import { mentions } from "./mentions.js";
import { PURE } from "./outside.js";
import {
  childrenOf,
  decidersOf,
  heldIn,
  isFunction,
  isList,
  literalOf,
  mayLeave,
  nameOf,
  nodesOf,
  patternsOf,
  type FunctionNode,
} from "./tree.js";

import { CALLED, wayOut, type Flow, type Token } from "./flow.js";

interface Place {
  /** What decides whether this is come to. */
  readonly control: Token;
  /** The names of the function that it stands in. */
  readonly functions: readonly string[];
}

export class FlowReader {
  readonly #branches: Branches;
  readonly #from = new Map<Token, Set<Token>>();
  readonly #to = new Map<Token, Set<Token>>();
  readonly #functions = new Map<string, Set<FunctionNode>>();
  readonly #calls: { readonly name: string; readonly args: readonly Node[] }[] = [];
  /** How often each name stands in the scripts. */
  readonly #counts = new Map<string, number>();
  /** Functions that are called where they stand, and by nobody else. */
  readonly #atOnce = new Set<Node>();
  #made = 0;

  constructor(branches: Branches) {
    this.#branches = branches;
  }

  read(programs: readonly Program[]): Flow {
    for (const program of programs) {
      for (const node of nodesOf(program) as Iterable<AnyNode>) {
        if (node.type === "Identifier")
          this.#counts.set(node.name, (this.#counts.get(node.name) ?? 0) + 1);
      }
      for (const each of program.body)
        if (each.type === "FunctionDeclaration") this.#counts.set(each.id.name, 2);
    }
    for (const program of programs) this.#visit(program, { control: "@start", functions: [] });
    for (const { name, args } of this.#calls) {
      for (const fn of this.#functions.get(name) ?? []) {
        for (const each of args) this.#pass(fn, each);
        this.#add(`#${this.#branches.get(fn.body)?.id ?? ""}in`, [`use:${name}`]);
      }
    }
    return { from: this.#from, to: this.#to };
  }

  #add(target: Token, sources: Iterable<Token>): void {
    for (const source of sources) {
      this.#from.set(target, (this.#from.get(target) ?? new Set()).add(source));
      this.#to.set(source, (this.#to.get(source) ?? new Set()).add(target));
    }
  }

  #visit(node: AnyNode, place: Place): void {
    const branch = this.#branches.get(node);
    if (branch && branch.kind !== "entry" && branch.kind !== "next")
      this.#add(`?${branch.id}`, mentions(node, this.#branches));
    const own = isFunction(node) ? { ...place, functions: this.#nameFunction(node, place) } : place;
    this.#flowThrough(node, own);
    let now = own;
    for (const child of childrenOf(node) as AnyNode[]) {
      const deciders = decidersOf(node, child);
      const isEntry = this.#branches.get(child)?.kind === "entry";
      // A function of the page may be called by others, and one whose name stands elsewhere by that.
      const isCalled =
        isFunction(node) &&
        !this.#atOnce.has(node) &&
        own.functions.every((each) => (this.#counts.get(each) ?? 0) > 1);
      const tokens = [
        ...deciders.flatMap((each) => this.#all(each)),
        ...(isCalled ? [CALLED] : []),
      ];
      this.#visit(child, tokens.length > 0 || isEntry ? this.#under(tokens, child, now) : now);
      if (!isList(node)) continue;
      // What stands behind something that may leave is come to only where that does not.
      if (mayLeave(child)) now = this.#under(this.#all(child), undefined, now);
      now = this.#next(child, node, now);
    }
  }

  /** Where a statement throws, none of those behind it is come to. */
  #next(statement: Node, list: Node, place: Place): Place {
    const all = childrenOf(list);
    const branch = this.#branches.get(all[all.indexOf(statement) + 1] ?? list);
    if (branch?.kind !== "next") return place;
    this.#add(`?${branch.id}`, this.#all(statement));
    const control = `@${this.#made++}`;
    this.#add(control, [wayOut(branch.id, true), place.control]);
    return { ...place, control };
  }

  #under(tokens: readonly Token[], entry: Node | undefined, place: Place): Place {
    const branch = entry && this.#branches.get(entry);
    const isEntry = branch?.kind === "entry";
    const control = isEntry ? `#${branch.id}in` : `@${this.#made++}`;
    const decided = [...tokens, place.control];
    if (isEntry) this.#add(`?${branch.id}`, tokens);
    this.#add(control, isEntry ? [...decided, wayOut(branch.id, true)] : decided);
    return { ...place, control };
  }

  #flowThrough(node: AnyNode, place: Place): void {
    switch (node.type) {
      case "VariableDeclarator":
        return node.init ? this.#assign(node.id, node.init, place) : undefined;
      case "AssignmentExpression":
      case "AssignmentPattern":
        return this.#assign(node.left, node.right, place);
      case "ForInStatement":
      case "ForOfStatement": {
        const [first] = node.left.type === "VariableDeclaration" ? node.left.declarations : [];
        return this.#assign(first?.id ?? node.left, node.right, place);
      }
      case "UpdateExpression":
        return this.#assign(node.argument, node.argument, place);
      case "UnaryExpression":
        return node.operator === "delete"
          ? this.#assign(node.argument, node.argument, place)
          : undefined;
      case "ObjectExpression":
        return node.properties.forEach((each, at) => {
          if (each.type !== "Property" || !each.computed || literalOf(each.key) !== undefined)
            return;
          // What follows in the same literal is set after it.
          const before = node.properties
            .slice(0, at)
            .flatMap((one) => ("key" in one ? (nameOf(one.key) ?? []) : []));
          this.#add("in:?", this.#all(each.value));
          const isAlone = node.properties.length === 1;
          for (const name of isAlone ? ["in:?"] : before)
            this.#add(name, [...this.#all(each.key), place.control]);
        });
      case "Property":
      case "PropertyDefinition":
      case "MethodDefinition": {
        const key = node.computed ? literalOf(node.key) : nameOf(node.key);
        return key !== undefined && node.value ? this.#hold(key, node.value, place) : undefined;
      }
      case "ReturnStatement":
      case "YieldExpression":
        for (const name of place.functions)
          if (node.argument) this.#hold(name, node.argument, place);
        return undefined;
      case "CallExpression":
      case "NewExpression":
        return this.#call(node.callee, node.arguments, place);
      case "TaggedTemplateExpression":
        return this.#call(node.tag, node.quasi.expressions, place);
      default:
        return undefined;
    }
  }

  #assign(target: Node, value: Node, place: Place): void {
    for (const each of patternsOf(target) as AnyNode[]) {
      if (each.type === "Identifier") this.#hold(each.name, value, place);
      if (each.type !== "MemberExpression") continue;
      const key = each.computed ? literalOf(each.property) : nameOf(each.property);
      const chosen = this.#all(each.object).filter((token) => token.startsWith("#"));
      const sources = [...this.#all(value), place.control, ...chosen];
      for (const name of heldIn(each.object)) {
        this.#add(`in:${name}`, sources);
        if (key !== undefined) this.#add(key, [name]);
        else this.#add(`use:${name}`, [...sources, ...this.#all(each.property)]);
        if (key === undefined) this.#link(name, value);
      }
      if (key !== undefined) this.#hold(key, value, place);
      if (key !== undefined) this.#add(key, chosen);
    }
  }

  /** What a new object is made of is in it: which object the name leads to does not depend on that. */
  #hold(name: string, value: Node, { control }: Place): void {
    this.#add(value.type === "ObjectExpression" ? `in:${name}` : name, this.#all(value));
    this.#add(name, [control]);
    this.#link(name, value);
    if (isFunction(value as AnyNode))
      this.#functions.set(
        name,
        (this.#functions.get(name) ?? new Set()).add(value as FunctionNode),
      );
  }

  /** Either name may lead to the other's object. */
  #link(name: string, value: Node): void {
    for (const other of heldIn(value)) {
      for (const kind of ["in:", "use:"]) {
        this.#add(kind + name, [kind + other]);
        this.#add(kind + other, [kind + name]);
      }
    }
  }

  #call(callee: Node, args: readonly Node[], { control }: Place): void {
    const given = args.flatMap((each) => this.#all(each));
    const { object, property } = callee as AnyNode & { object?: Node; property?: Node };
    const isPure = property !== undefined && PURE.has(nameOf(property) ?? "");
    for (const each of [callee, ...(object && !isPure ? [object] : []), ...args]) {
      for (const name of heldIn(each))
        this.#add(`use:${name}`, [name, control, ...(each === callee ? given : [])]);
    }
    for (const name of object ? heldIn(object) : []) this.#add(`in:${name}`, given);
    const name = heldIn(callee).at(-1);
    if (name !== undefined) this.#calls.push({ name, args });
    // A function that stands among the arguments is called with what it stands beside; one that is called here, with this.
    const own = object && isFunction(object as AnyNode) ? object : callee;
    this.#atOnce.add(own);
    for (const each of [own, ...args] as AnyNode[]) {
      if (!isFunction(each)) continue;
      for (const other of [callee, ...args]) if (other !== each) this.#pass(each, other);
    }
  }

  /** To any of its parameters, because nobody counts them here. */
  #pass(fn: FunctionNode, given: Node): void {
    for (const name of fn.params.flatMap(patternsOf).flatMap((each) => nameOf(each) ?? [])) {
      this.#add(name, this.#all(given));
      this.#link(name, given);
    }
  }

  #nameFunction(node: FunctionNode, { control }: Place): string[] {
    const name = node.id ? nameOf(node.id) : undefined;
    if (name === undefined) return [];
    this.#functions.set(name, (this.#functions.get(name) ?? new Set()).add(node));
    this.#add(name, [...this.#all(node), control]);
    return [name];
  }

  #all(node: Node): Token[] {
    return [...mentions(node, this.#branches)];
  }
}
