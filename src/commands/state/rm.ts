// lintel state rm: stops managing settings; the portal keeps them as they are.
import { change, each, stateOf, type Asked, type Members } from "./asked.js";
import { eachMember } from "../../apply/each-portal.js";
import { SETTINGS } from "../../catalog/catalog.js";
import { keyOf, referencePath } from "../../catalog/spelling.js";
import { didYouMean } from "../../diagnostic.js";
import { wrongUsage, type Failure } from "../../failure.js";
import { shellWord } from "../../lib/text.js";
import { formatPath, isWithin, type Path } from "../../settings.js";
import type { State } from "../../state/state.js";
import { withoutLeaves, type Note } from "../../state/steps.js";
import type { StateRmFacts } from "../documents.js";

/** What no portal manages is a slip; what some of many do not manage is none of theirs. */
export async function removeSettings(asked: Asked, paths: readonly string[]): Promise<Members> {
  const { run } = asked;
  if (paths.length === 0) {
    throw wrongUsage(
      "No setting is named.",
      `Name what Lintel should no longer manage:\n  lintel state rm ${asked.call.operands.slice(1).map(shellWord).join(" ")} informationalBanner`,
    );
  }
  const looked = await each(asked, async (portal) => {
    const { leaves, alsoSent = [] } = await stateOf(portal);
    const known = [...leaves, ...alsoSent].map(({ path }) => path);
    return { portal, known, released: paths.flatMap((text) => leavesWithin(text, known)) };
  });
  const known = looked.flatMap(({ value }) => value?.known ?? []);
  if (looked.some(({ value }) => value)) {
    for (const text of paths)
      if (leavesWithin(text, known).length === 0) throw notManaged(text, known);
  }
  return eachMember(run, looked, async ({ portal, released }) => {
    const step = (state: State, note: Note) =>
      released.length > 0 ? withoutLeaves(state, released, note) : state;
    const { after } = await change(portal, asked, step);
    const names = released.map(formatPath);
    const whatBecomes = portal.desired.portal.mayRead
      ? "is no longer managed; the portal keeps it as it is."
      : "is no longer managed, nor part of what is sent; the portal may reset what a request leaves out.";
    const told = [
      ...names.map((name) => `${name} ${whatBecomes}`),
      "What still stands in the file is managed again by the next apply.",
    ];
    const lines = names.length > 0 ? told : ["It manages nothing of that."];
    return {
      json: { released: names, serial: after.serial } satisfies StateRmFacts,
      text: () => `${lines.join("\n")}\n`,
    };
  });
}

function leavesWithin(text: string, managed: readonly Path[]): Path[] {
  const wanted = referencePath(text.split("."));
  return managed.filter((path) => isWithin(referencePath(path), wanted));
}

function notManaged(text: string, managed: readonly Path[]): Failure {
  const names = [...new Set(managed.map(formatPath))];
  const isKnown = SETTINGS.some(({ path }) => keyOf(path.split(".")) === keyOf(text.split(".")));
  return wrongUsage(
    isKnown ? `"${text}" is not managed.` : `"${text}" is no setting that is managed.`,
    didYouMean(text, names) ?? `Managed are: ${names.join(", ") || "none"}.`,
  );
}
