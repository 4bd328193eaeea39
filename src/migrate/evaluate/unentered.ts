// Tests whether code that no run entered may change a setting: coarse, and never too little.
import type { AnyNode, Node } from "acorn";
import { USUAL_NAME, settingNames } from "../known.js";
import { nameOf, namesIn, nodesOf, propertyOf, writtenIn } from "./tree.js";

const SETTINGS: ReadonlySet<string> = new Set(settingNames());

export interface Changes {
  /** Any setting may be meant. */
  readonly isAny: boolean;
  /** What is written under these names, or stands in texts. */
  readonly names: readonly string[];
}

/** Changes nothing that it is handed. */
const HARMLESS =
  /^(?:log|warn|join|(?:lastI|i)ndexOf|concat|slice|split|test|match|replace|to(?:Lower|Upper)Case|toString|getElementById)$/;
const RUNS_TEXT = /^(?:eval|Function|setTimeout|setInterval|write|writeln)$/;

/** `own` are the names that the scripts give values to. */
export function changesIn(code: Node, own: ReadonlySet<string>): Changes {
  const nodes = [...nodesOf(code)];
  const inside = new Set(nodes.flatMap(declaredBy));
  const isOuter = (name: string) => (own.has(name) && !inside.has(name)) || name === USUAL_NAME;
  const mentions = nodes.some(
    (each) => each.type === "ThisExpression" || (each.type === "Identifier" && isOuter(each.name)),
  );
  const called = nodes.flatMap((each) => {
    if (each.type === "TaggedTemplateExpression") return [""];
    if (each.type !== "CallExpression" && each.type !== "NewExpression") return [];
    const callee = each.callee as AnyNode;
    return [(callee.type === "MemberExpression" ? propertyOf(callee) : nameOf(callee)) ?? ""];
  });
  const members = nodes.flatMap(writtenIn).filter((each) => each.type === "MemberExpression");
  const written = members.map(propertyOf);
  const isAny =
    written.includes(undefined) ||
    written.includes(USUAL_NAME) ||
    called.some((name) => RUNS_TEXT.test(name)) ||
    (mentions && called.some((name) => !HARMLESS.test(name))) ||
    (mentions && written.some((name = "") => !SETTINGS.has(name))) ||
    nodes.flatMap(writtenIn).some((each) => nameOf(each) === USUAL_NAME);
  const texts = nodes.map((each) =>
    each.type === "Property"
      ? nameOf(each.key)
      : each.type === "Literal"
        ? nameOf(each)
        : undefined,
  );
  return { isAny, names: [...written, ...texts].filter((each) => each !== undefined) };
}

function declaredBy(node: AnyNode): string[] {
  const { id, params, param } = node as unknown as Record<string, AnyNode & AnyNode[]>;
  return [id, param, ...(params ?? [])].flatMap((each) => (each ? namesIn(each) : []));
}
