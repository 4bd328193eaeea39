// A program → its scopes: which name means which variable, without anything being run.
import type { Function as FunctionNode, Node, Pattern, Program } from "acorn";
import { childrenOf, isLeaf } from "./walk.js";
import type { Value, Why } from "./value.js";

/** A variable of a script, or a property of the window, which is the same for those of the outermost scope. */
export interface Binding {
  readonly name: string;
  value?: Value;
  /** How a script declares it; absent for what is only assigned to, or belongs to the browser. */
  declared?: "var" | "let" | "const";
  /** It may be given any value at any time. */
  volatile?: Why;
  /** What it holds may be changed at any time. */
  leak?: Why;
  readonly spoiledKeys: Map<string, Why>;
  readonly leakedKeys: Map<string, Why>;
}

export interface Scope {
  readonly parent: Scope | undefined;
  readonly names: Map<string, Binding>;
  readonly isFunction: boolean;
  readonly isStrict: boolean;
}

export interface Globals {
  /** Properties of the window. */
  readonly names: Map<string, Binding>;
  /** What "let", "const" and "class" declare outermost, which all scripts share, and the window has not. */
  readonly lexical: Map<string, Binding>;
}

export type Scopes = ReadonlyMap<Node, Scope>;

export function binding(name: string, value?: Value): Binding {
  const made = { name, spoiledKeys: new Map<string, Why>(), leakedKeys: new Map<string, Why>() };
  return value ? { ...made, value } : made;
}

/** Names that no scope has belong to the window. */
export function lookUp(name: string, scope: Scope | undefined, globals: Globals): Binding {
  for (let each = scope; each; each = each.parent) {
    const found = each.names.get(name);
    if (found) return found;
  }
  return globalNamed(name, globals);
}

export function globalNamed(name: string, globals: Globals): Binding {
  let found = globals.names.get(name);
  if (!found) globals.names.set(name, (found = binding(name)));
  return found;
}

export function scopesOf(program: Program, globals: Globals): Scopes {
  const strict = isStrict(program.body);
  const outermost: Scope = {
    parent: { parent: undefined, names: globals.names, isFunction: true, isStrict: strict },
    names: globals.lexical,
    isFunction: false,
    isStrict: strict,
  };
  const scopes = new Map<Node, Scope>([[program, outermost]]);
  const left: { node: Node; scope: Scope }[] = program.body.map((node) => ({
    node,
    scope: outermost,
  }));
  for (let next = left.pop(); next; next = left.pop()) {
    const { node } = next;
    const scope = scopeFor(node, next.scope, scopes);
    declare(node, scope, next.scope);
    for (const child of childrenOf(node)) if (!isLeaf(child)) left.push({ node: child, scope });
  }
  return scopes;
}

function scopeFor(node: Node, parent: Scope, scopes: Map<Node, Scope>): Scope {
  const known = scopes.get(node);
  if (known) return known;
  const opens = isFunctionNode(node) || BLOCKS.has(node.type);
  if (!opens) return parent;
  const isFunction = isFunctionNode(node);
  const body = isFunction && node.body.type === "BlockStatement" ? node.body : undefined;
  const strict = parent.isStrict || (body !== undefined && isStrict(body.body));
  const scope: Scope = { parent, names: new Map(), isFunction, isStrict: strict };
  scopes.set(node, scope);
  // The body of a function is no scope beside its parameters.
  if (body) scopes.set(body, scope);
  return scope;
}

const BLOCKS = new Set([
  "BlockStatement",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "SwitchStatement",
  "CatchClause",
  "ClassDeclaration",
  "ClassExpression",
  "StaticBlock",
]);

export function isFunctionNode(node: Node): node is FunctionNode {
  return (
    node.type === "FunctionExpression" ||
    node.type === "FunctionDeclaration" ||
    node.type === "ArrowFunctionExpression"
  );
}

function isStrict(body: Program["body"]): boolean {
  return body.some((each) => "directive" in each && each.directive === "use strict");
}

/** `scope` is the one that the node opens, or else the one that it stands in. */
function declare(node: Node, scope: Scope, outer: Scope): void {
  const add = (to: Scope, name: string, declared: Binding["declared"] = "var"): void => {
    const known = to.names.get(name);
    if (known) known.declared ??= declared;
    else to.names.set(name, { ...binding(name), declared });
  };
  const each = node as Node & Record<string, unknown>;
  if (isFunctionNode(node)) {
    for (const name of node.params.flatMap(namesIn)) add(scope, name);
    if (node.id) {
      // In sloppy code a function in a block is a variable of the function around it as well.
      if (node.type === "FunctionDeclaration") {
        const around = functionScope(outer);
        add(around, node.id.name);
        const shared = around.names.get(node.id.name);
        if (shared) outer.names.set(node.id.name, shared);
      } else if (!scope.names.has(node.id.name)) {
        const own = { kind: "code", node } as const;
        scope.names.set(node.id.name, { ...binding(node.id.name, own), declared: "var" });
      }
    }
    return;
  }
  if (node.type === "VariableDeclaration") {
    const { kind, declarations } = each as unknown as {
      kind: "var" | "let" | "const";
      declarations: readonly { id: Pattern }[];
    };
    const to = kind === "var" ? functionScope(scope) : scope;
    for (const { id } of declarations) for (const name of namesIn(id)) add(to, name, kind);
  } else if (node.type === "ClassDeclaration" || node.type === "ClassExpression") {
    const id = each["id"] as { name: string } | null;
    if (id) add(node.type === "ClassDeclaration" ? outer : scope, id.name, "let");
  } else if (node.type === "CatchClause" && each["param"]) {
    for (const name of namesIn(each["param"] as Pattern)) add(scope, name);
  }
}

function functionScope(scope: Scope): Scope {
  return scope.isFunction || !scope.parent ? scope : functionScope(scope.parent);
}

/** The names that a pattern gives values to. */
export function namesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((each) =>
        namesIn(each.type === "RestElement" ? each.argument : each.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((each) => (each ? namesIn(each) : []));
    case "RestElement":
      return namesIn(pattern.argument);
    case "AssignmentPattern":
      return namesIn(pattern.left);
    default:
      return [];
  }
}
