// Scripts of which a portal gets no property → what they have instead, in words.
import type { AnyNode, Node } from "acorn";
import { causeInWords } from "./cause.js";
import { nameOf, nodesOf } from "./evaluate/tree.js";
import type { Evaluation } from "./evaluate/evaluate.js";
import { USUAL_NAME, isSetting } from "./known.js";
import { filesInWords, type Parsed } from "./read.js";
import type { Remark } from "./remark.js";
import type { Stretch } from "./script.js";

const CHECK = "Check that this is the portal's config.js.";
const NOTHING = `nothing is assigned to "${USUAL_NAME}".`;

function about(message: string, at?: Stretch, help = CHECK): Remark {
  return { code: "no-configuration", message, help, at };
}

/** The first of what there may be. */
export function findElsewhere(
  scripts: readonly Parsed[],
  { name, from = USUAL_NAME }: Evaluation["look"],
): Remark {
  const assigned = scripts.flatMap(assignedIn);
  const ours = assigned.findLast((each) => each.name === USUAL_NAME);
  if (name === USUAL_NAME && from !== USUAL_NAME) {
    return about(`Nothing of the configuration can be known: it ${causeInWords(from)}.`, ours?.at);
  }
  if (ours) return aboutOurs(ours);
  const files = filesInWords(scripts);
  if (name === undefined) {
    const none = about(`${files} holds no configuration: ${NOTHING}`);
    return inVariable(assigned) ?? inComment(scripts) ?? none;
  }
  return about(
    `${files} sets no property, and only uses a configuration that another file makes.`,
    undefined,
    "Name that file in front of this one, such as:\n  lintel migrate config.js overrides.js",
  );
}

interface Assigned {
  readonly name: string;
  readonly at: Stretch;
  readonly value: AnyNode;
  /** To a name that a function or a block has for itself. */
  readonly isLocal: boolean;
}

function assignedIn({ script, program }: Parsed): Assigned[] {
  const nodes = [...nodesOf(program)] as AnyNode[];
  const outer = new Set<Node>(
    program.body.flatMap((each) => (each.type === "VariableDeclaration" ? each.declarations : [])),
  );
  const locals = new Set(
    nodes.flatMap((each) =>
      each.type === "VariableDeclarator" && !outer.has(each) ? nameOf(each.id) : [],
    ),
  );
  return nodes
    .flatMap((node): Assigned[] => {
      const isVariable = node.type === "VariableDeclarator";
      if (!isVariable && node.type !== "AssignmentExpression") return [];
      const [left, value] = isVariable ? [node.id, node.init] : [node.left, node.right];
      const name = nameOf(left.type === "MemberExpression" ? left.property : left);
      const isLocal = left.type === "Identifier" && locals.has(name);
      const at = { script, start: node.start, end: node.end };
      return name === undefined || !value ? [] : [{ name, at, value, isLocal }];
    })
    .toSorted((one, other) => one.at.start - other.at.start);
}

const MAY_HOLD = /^(?:Call|New|Member|Logical|Conditional|Assignment)Expression$|^Identifier$/;

function aboutOurs({ value, isLocal, at }: Assigned): Remark {
  const mayHold =
    value.type === "ObjectExpression"
      ? value.properties.length > 0
      : MAY_HOLD.test(value.type) && nameOf(value) !== "undefined";
  if (!mayHold) return about(`"${USUAL_NAME}" holds no property here.`, at);
  return isLocal
    ? about(
        `The configuration is in a variable "${USUAL_NAME}" of a function or a block, where no portal finds it.`,
        at,
      )
    : about(
        "The configuration is assigned here, and in a plain page the script does not get to it.",
        at,
        `Look for an error, a condition or a function around it. ${CHECK}`,
      );
}

function inVariable(assigned: readonly Assigned[]): Remark | undefined {
  const found = assigned.find(
    ({ value }) =>
      value.type === "ObjectExpression" &&
      areMany(value.properties.map((each) => (each.type === "Property" ? nameOf(each.key) : ""))),
  );
  const message = `The configuration is in the variable "${found?.name}", where no portal finds it: ${NOTHING}`;
  return found && about(message, found.at);
}

/** So many settings' names have no other reason. */
function areMany(names: readonly (string | undefined)[]): boolean {
  return new Set(names.filter((name) => name !== undefined && isSetting(name))).size >= 3;
}

function inComment(scripts: readonly Parsed[]): Remark | undefined {
  for (const { script, comments } of scripts) {
    // Of many lines each is a comment of its own.
    const named = comments.flatMap(({ start, end, value }) =>
      [...value.matchAll(/([\w$]+)["']?\s*[:=]/g)].map(([, name = ""]) => ({ start, end, name })),
    );
    const ours = named.find(({ name }) => name.endsWith("GeowConfig") || isSetting(name));
    if (!ours || (isSetting(ours.name) && !areMany(named.map(({ name }) => name)))) continue;
    return about(
      `The configuration is in a comment, where nothing reads it: ${NOTHING}`,
      { script, start: ours.start, end: ours.end },
      "Take the comment's marks away, or name the file that the portal used.",
    );
  }
  return undefined;
}
