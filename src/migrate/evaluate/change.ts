// Tests whether code that no run entered may change a setting, as far as names show.
import type { AnyNode, CallExpression, NewExpression, Node } from "acorn";
import { USUAL_NAME } from "../known.js";
import {
  LITERAL,
  MERGES,
  dependsOn,
  reachedFrom,
  unnamed,
  type Sources,
  type Test,
} from "./flow.js";
import { allNodesOf, isText, nameOf, namesIn, nodesOf, propertyOf, writtenIn } from "./tree.js";

const READS =
  /^(?:join|indexOf|lastIndexOf|includes|concat|slice|split|test|match|replace|toLowerCase|toUpperCase|toString|getElementById|querySelector)$/;

/** As in eval("(" + text + ")"), the way in which JSON was read before there was JSON.parse. */
function isData(text: Node | undefined): boolean {
  const all = text ? [...nodesOf(text)].filter(isText) : [];
  const parts = all.toSorted((one, other) => one.start - other.start).map((each) => nameOf(each));
  return parts[0]?.startsWith("(") === true && parts.at(-1)?.endsWith(")") === true;
}

export type MayChange = (code: Node, setting: string) => boolean;

export function openChanges(sources: Sources, functions: Functions): MayChange {
  const tests = new Map<string, Test>();
  const changes = new Map<Node, Changes>();
  return (code, setting) => {
    const isOf = tests.get(setting) ?? dependsOn([setting], sources);
    tests.set(setting, isOf);
    const found = changes.get(code) ?? changesIn(code, sources, functions);
    changes.set(code, found);
    const { isAny, names, parts } = found;
    return isAny || names.has(setting) || parts.some(isOf);
  };
}

interface Changes {
  /** Any setting may be meant. */
  readonly isAny: boolean;
  /** What is written under these names, or comes from there. */
  readonly names: ReadonlySet<string>;
  /** Whatever these hold may be changed in place. */
  readonly parts: readonly Node[];
}

function changesIn(code: Node, sources: Sources, functions: Functions): Changes {
  const nodes = allNodesOf([...withCallees(code, functions)]);
  const reached = reachedFrom(nodes.flatMap(targetsOf), sources);
  const ofConfiguration = reachedFrom([USUAL_NAME], sources);
  const isConfiguration = (name: string) =>
    name === LITERAL || ofConfiguration.has(name) || reachedFrom([name], sources).has(USUAL_NAME);
  const isOfConfiguration = (node: Node) =>
    [...nodesOf(node)].some((each) => isConfiguration(nameOf(each) ?? ""));
  const holders = nodes.flatMap(writtenIn).filter((each) => each.type === "MemberExpression");
  const isKeyed =
    holders.some((each) => propertyOf(each) === undefined && isOfConfiguration(each.object)) ||
    [...sources.keys()].some(
      (each) => each.endsWith("[=]") && reached.has(each) && isConfiguration(each.slice(0, -3)),
    );
  const calls = nodes.flatMap((each) =>
    each.type === "CallExpression" || each.type === "NewExpression" ? [callOf(each)] : [],
  );
  const isMerged = calls.some(
    ({ name, isEval, handed }) => isEval || (MERGES.test(name) && handed.some(isOfConfiguration)),
  );
  const written = nodes.flatMap((each) => (each.type === "Property" ? [nameOf(each.key)] : []));
  const texts = nodes.filter(isText).map(nameOf);
  return {
    isAny: isKeyed || isMerged,
    names: new Set([...reached, ...[...written, ...texts].filter((each) => each !== undefined)]),
    parts: [
      ...holders.map(({ object }) => object),
      ...calls.flatMap(({ name, handed }) => (READS.test(name) ? [] : handed)),
    ],
  };
}

type Functions = ReadonlyMap<string, readonly Node[]>;

/** The code, and the functions that it mentions, which it may call. */
function withCallees(code: Node, functions: Functions): ReadonlySet<Node> {
  const all = new Set([code]);
  // A set hands out what is added meanwhile, too.
  for (const each of all)
    for (const node of nodesOf(each))
      for (const callee of functions.get(nameOf(node) ?? "") ?? []) all.add(callee);
  return all;
}

/** The names that a node gives a value to. */
function targetsOf(node: AnyNode): string[] {
  if (node.type === "VariableDeclarator") return namesIn(node.id);
  if (node.type === "ReturnStatement") return [unnamed(node)];
  if (node.type === "AssignmentPattern") return namesIn(node.left);
  return writtenIn(node).flatMap(namesIn);
}

function callOf(node: CallExpression | NewExpression) {
  const { callee } = node;
  const isMember = callee.type === "MemberExpression";
  const name = (isMember ? propertyOf(callee) : nameOf(callee)) ?? "";
  return {
    name,
    isEval: name === "eval" && !isData(node.arguments[0]),
    handed: [...node.arguments, ...(isMember ? [callee.object] : [])] as Node[],
  };
}
