// A script and its tree → the same script with a counter in front of each branch, and the branches by number.
import type { AnyNode, MemberExpression, Node, Program } from "acorn";
import { literalOf, nameOf, nodesOf } from "./tree.js";

/** Where a script may go one way or another; a function's first line counts as one, because it may never be called. */
export interface Branch {
  readonly id: number;
  readonly node: AnyNode;
  /** An entry is come to or not; a test has two ways out, and so has what may be null or undefined; a key is computed; the next statement is come to where the one before it throws nothing. */
  readonly kind: "test" | "nullish" | "entry" | "key" | "next";
}

interface Instrumented {
  readonly code: string;
  /** Statements by number, for those that were asked to be told. */
  readonly statements: readonly Node[];
}

interface Insertion {
  readonly at: number;
  /** Of two at one place, what ends a smaller stretch comes first, and what begins a larger one. */
  readonly rank: number;
  readonly text: string;
}

interface Instrumenting {
  readonly program: Program;
  readonly text: string;
  /** The name of what counts. */
  readonly counters: string;
  /** The number of the first statement, where each is to be told before it runs. */
  readonly first?: number | undefined;
}

/** By node, in the order of the scripts. */
export type Branches = ReadonlyMap<Node, Branch>;

export function branchesOf(programs: readonly Program[]): Branches {
  const found = new Map<Node, Branch>();
  const add = (node: Node | null | undefined, kind: Branch["kind"]) => {
    if (node && !found.has(node)) found.set(node, { id: found.size, node: node as AnyNode, kind });
  };
  for (const each of programs.flatMap((program) => [...nodesOf(program)])) {
    const node = each as AnyNode;
    for (const statement of listOf(node).slice(1)) {
      if (!("directive" in statement) && statement.type !== "FunctionDeclaration")
        add(statement, "next");
    }
    switch (node.type) {
      case "IfStatement":
      case "ConditionalExpression":
      case "WhileStatement":
      case "DoWhileStatement":
      case "ForStatement":
        add(node.test, "test");
        break;
      case "LogicalExpression":
        add(node.left, node.operator === "??" ? "nullish" : "test");
        break;
      case "MemberExpression":
        if (node.optional) add(node.object, "nullish");
        break;
      case "ForInStatement":
      case "ForOfStatement":
        add(node.body, "entry");
        break;
      case "BinaryExpression":
        if (COMPARES.test(node.operator)) add(node, "test");
        break;
      case "UnaryExpression":
        if (node.operator === "!") add(node.argument, "test");
        break;
      case "CallExpression":
        if (
          node.callee.type === "MemberExpression" &&
          ASKS.test(nameOf(node.callee.property) ?? "")
        ) {
          add(node, "test");
        }
        break;
      case "Property":
        if (node.computed && literalOf(node.key) === undefined) add(node.key, "key");
        break;
      case "AssignmentExpression":
        if (isMade(node.left)) add((node.left as MemberExpression).property, "key");
        if (/^(?:&&|\|\||\?\?)=$/.test(node.operator)) add(node.right, "entry");
        break;
      case "AssignmentPattern":
        add(node.right, "entry");
        break;
      case "SwitchCase":
        add(node, "entry");
        break;
      case "CatchClause":
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        add(node.body, "entry");
        break;
      default:
    }
  }
  return found;
}

/** What they give is a choice, wherever it goes. */
const COMPARES = /^(?:[=!]==?|[<>]=?|in|instanceof)$/;
const ASKS = /^(?:test|includes|startsWith|endsWith|some|every|hasOwnProperty|has)$/;

export function instrument(
  { program, text, first, counters }: Instrumenting,
  branches: Branches,
): Instrumented {
  const insertions: Insertion[] = [];
  const statements: Node[] = [];
  const insert = (at: number, rank: number, inserted: string) => {
    insertions.push({ at, rank, text: `/*${counters}*/${inserted}/*${counters}*/` });
  };
  const before = (node: Node, inserted: string, at = node.start) =>
    insert(at, 1e9 - (node.end - node.start), inserted);
  const after = (node: Node, inserted: string) =>
    insert(node.end, node.end - node.start - 1e9, inserted);
  const wrap = (node: Node, call: string) => {
    before(node, `${call}(`);
    after(node, "))");
  };
  const enter = (node: AnyNode, code: string): void => {
    if (node.type === "SwitchCase") {
      const colon = text.indexOf(":", node.test?.end ?? node.start);
      before(node, code, node.consequent[0]?.start ?? colon + 1);
    } else if (node.type !== "BlockStatement") {
      const isStatement = node.type.endsWith("Statement");
      if (!isStatement) return wrap(node, `(${code.replace(";", "")},`);
      before(node, `{${code}`);
      after(node, "}");
    } else {
      const directives = node.body.filter((each) => "directive" in each);
      before(node, code, directives.at(-1)?.end ?? node.start + 1);
    }
  };
  for (const each of nodesOf(program)) {
    const node = each as AnyNode;
    const branch = branches.get(node);
    if (branch?.kind === "next") before(node, `${counters}.c(${branch.id});`);
    else if (branch?.kind === "entry") enter(node, `${counters}.c(${branch.id});`);
    else if (branch) wrap(node, `${counters}.${branch.kind.charAt(0)}(${branch.id},`);
    if (
      node.type === "CallExpression" &&
      node.arguments[0] &&
      node.arguments[0].type !== "SpreadElement"
    ) {
      const {
        callee,
        arguments: [first],
      } = node;
      if (isEval(callee)) wrap(first, `${counters}.e(`);
      // It may be called by a name that is put together.
      else if (isMade(callee)) wrap(first, `${counters}.h(`);
    }
    // Under another name it runs what it is given as code of the page.
    for (const value of valuesOf(node)) if (value && isEval(value)) wrap(value, `(${counters}.i||`);
    for (const statement of first === undefined ? [] : listOf(node)) {
      if ("directive" in statement || statement.type === "FunctionDeclaration") continue;
      before(statement, `${counters}.p(${(first ?? 0) + statements.push(statement) - 1});`);
    }
  }
  insertions.sort((one, other) => one.at - other.at || one.rank - other.rank);
  let code = "";
  let done = 0;
  for (const { at, text: inserted } of insertions) {
    code += text.slice(done, at) + inserted;
    done = at;
  }
  return { code: code + text.slice(done), statements };
}

function isMade(node: Node): boolean {
  const each = node as AnyNode;
  return (
    each.type === "MemberExpression" && each.computed && literalOf(each.property) === undefined
  );
}

function isEval(node: Node): boolean {
  const each = node as AnyNode;
  if (each.type === "Identifier") return each.name === "eval";
  return each.type === "MemberExpression" && !each.computed && isEval(each.property);
}

/** Where something is handed on and not called. */
function valuesOf(node: AnyNode): readonly (Node | null | undefined)[] {
  switch (node.type) {
    case "VariableDeclarator":
      return [node.init];
    case "AssignmentExpression":
      return [node.right];
    case "CallExpression":
    case "NewExpression":
      return node.arguments;
    case "Property":
      return node.shorthand ? [] : [node.value];
    case "SequenceExpression":
      return node.expressions;
    case "ConditionalExpression":
      return [node.consequent, node.alternate];
    case "LogicalExpression":
      return [node.right];
    case "ArrayExpression":
      return node.elements;
    case "ReturnStatement":
      return [node.argument];
    default:
      return [];
  }
}

function listOf(node: AnyNode): readonly Node[] {
  if (node.type === "SwitchCase") return node.consequent;
  return node.type === "Program" || node.type === "BlockStatement" ? node.body : [];
}
