// Tests whether code may change a setting, as far as names show.
import type { AnyNode, Node } from "acorn";
import { USUAL_NAME } from "../known.js";
import { dependsOn, reachedFrom, type Sources, type Test } from "./flow.js";
import { isText, nameOf, namesIn, nodesOf, propertyOf, writtenIn } from "./tree.js";

const MERGES = /^(?:assign|mixin|extend|defaults|define(?:Property|Properties)|set|Function)$/;

const READS =
  /^(?:join|indexOf|lastIndexOf|includes|concat|slice|split|test|match|replace|toLowerCase|toUpperCase|toString|getElementById|querySelector)$/;

/** As in eval("(" + text + ")"), the way in which JSON was read before there was JSON.parse. */
function isData(text: Node | undefined): boolean {
  const all = text ? [...nodesOf(text)].filter(isText) : [];
  const parts = all.toSorted((one, other) => one.start - other.start).map((each) => nameOf(each));
  return parts[0]?.startsWith("(") === true && parts.at(-1)?.endsWith(")") === true;
}

export function mayChange(code: Node, name: string, sources: Sources): boolean {
  const isOf = dependsOn([name], sources);
  const isOfConfiguration = dependsOn([USUAL_NAME], sources);
  for (const node of nodesOf(code)) {
    for (const target of writtenIn(node))
      if (isChangedBy(target, name, isOf, isOfConfiguration, sources)) return true;
    if (node.type === "Property" && nameOf(node.key) === name) return true;
    if (isText(node) && nameOf(node) === name) return true;
    if (node.type !== "CallExpression" && node.type !== "NewExpression") continue;
    const { callee } = node;
    const isMember = callee.type === "MemberExpression";
    const all = [...node.arguments, ...(isMember ? [callee.object] : [])];
    const called = isMember ? propertyOf(callee) : nameOf(callee);
    if (READS.test(called ?? "")) continue;
    if (all.some(isOf)) return true;
    if (
      called === "eval"
        ? !isData(node.arguments[0])
        : MERGES.test(called ?? "") && all.some(isOfConfiguration)
    )
      return true;
  }
  return false;
}

function isChangedBy(
  target: AnyNode,
  name: string,
  isOf: Test,
  isOfConfiguration: Test,
  sources: Sources,
): boolean {
  if (reachedFrom(namesIn(target), sources).has(name)) return true;
  if (target.type !== "MemberExpression") return false;
  const isComputed = propertyOf(target) === undefined;
  return isOf(target.object) || (isComputed && isOfConfiguration(target.object));
}
