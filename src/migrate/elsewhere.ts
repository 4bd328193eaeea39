// Explains why a portal gets no property from the scripts, and where a configuration stands instead.
import type { AnyNode } from "acorn";
import { causeInWords } from "./cause.js";
import { nameOf, nodesOf } from "./evaluate/tree.js";
import type { Evaluation } from "./evaluate/evaluate.js";
import { USUAL_NAME, isSetting } from "./known.js";
import type { Parsed } from "./read.js";
import type { Remark } from "./remark.js";
import type { Stretch } from "./script.js";

const CHECK = "Check that this is the portal's config.js.";

function about(message: string, at?: Stretch, help = CHECK): Remark {
  return { code: "no-configuration", message, help, at };
}

export function findElsewhere(scripts: readonly Parsed[], look: Evaluation["look"]): Remark {
  const assigned = findNode(scripts, isAssignedToUsualName);
  if (look.name === USUAL_NAME && look.from !== undefined && look.from !== USUAL_NAME) {
    return about(
      `No value of the configuration is known: it ${causeInWords(look.from)}.`,
      assigned,
    );
  }
  if (assigned) {
    return about(
      `The script assigns "${USUAL_NAME}" here, but a page gets no property from it.`,
      assigned,
      `Look for an empty value, an error, a condition or a function around it. ${CHECK}`,
    );
  }
  if (look.name !== undefined) {
    return about(
      "No property is set: the script only uses a configuration that another file makes.",
      undefined,
      "Name that file before this one:\n  lintel migrate config.js overrides.js",
    );
  }
  const object = findNode(scripts, holdsSettings);
  if (object) return about(`These settings are not assigned to "${USUAL_NAME}".`, object);
  const comment = findComment(scripts);
  if (comment) {
    return about(
      "The configuration is in a comment.",
      comment,
      "Remove the comment marks, or name the file that the portal used.",
    );
  }
  return about(`Nothing is assigned to "${USUAL_NAME}".`);
}

/** The last one. */
function findNode(
  scripts: readonly Parsed[],
  isMeant: (node: AnyNode) => boolean,
): Stretch | undefined {
  return scripts
    .flatMap(({ script, program }) =>
      [...nodesOf(program)]
        .filter(isMeant)
        .map(({ start, end }) => ({ script, start, end }))
        .toSorted((one, other) => one.start - other.start),
    )
    .at(-1);
}

function isAssignedToUsualName(node: AnyNode): boolean {
  if (node.type === "VariableDeclarator")
    return node.init != null && nameOf(node.id) === USUAL_NAME;
  if (node.type !== "AssignmentExpression") return false;
  const { left } = node;
  return nameOf(left.type === "MemberExpression" ? left.property : left) === USUAL_NAME;
}

/** Several settings' names in one object are no coincidence. */
function holdsSettings(node: AnyNode): boolean {
  if (node.type !== "ObjectExpression") return false;
  const names = node.properties.map((each) => (each.type === "Property" ? nameOf(each.key) : ""));
  return names.filter((name) => name !== undefined && isSetting(name)).length >= 3;
}

function findComment(scripts: readonly Parsed[]): Stretch | undefined {
  for (const { script, comments } of scripts) {
    const found = comments.find(({ value }) => value.includes(USUAL_NAME));
    if (found) return { script, start: found.start, end: found.end };
  }
  return undefined;
}
