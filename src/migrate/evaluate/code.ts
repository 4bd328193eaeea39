// Analyses the scripts: their sites, their names, and what of them depends on the page.
import { randomBytes } from "node:crypto";
import type { Node, Program } from "acorn";
import { lineOf } from "../../lib/source-text.js";
import { USUAL_NAME } from "../known.js";
import type { PortalAddress } from "../location.js";
import type { Parsed } from "../read.js";
import { lineAt, type Stretch } from "../script.js";
import {
  OF_THE_PAGE,
  PROTOCOL,
  dependsOn,
  functionsIn,
  namesOf,
  readsChosen,
  sourcesIn,
  type Sources,
  type Test,
} from "./flow.js";
import { instrument, type Site } from "./instrument.js";
import type { At } from "./protocol.js";
import { allNodesOf, nameOf, namesIn, propertyOf } from "./tree.js";

/** Scripts that load before others define none of these. */
const LACKING = [USUAL_NAME, "define", "exports", "module"];

export type Code = ReturnType<typeof analyse>;

export function analyse(parsed: readonly Parsed[], portal: PortalAddress | undefined) {
  const programs = parsed.map(({ program }) => program);
  const { free, own, lexical } = namesOf(programs);
  const sources = sourcesIn(programs);

  const isFixed = portal !== undefined && !readsAnyPart(programs, sources);

  /** Tests whether code depends on the page: on a configuration made before, or the portal's address, where it asks for them. */
  function outside(asked: readonly string[]): Test {
    const fixed = [USUAL_NAME, ...(isFixed ? ["location", PROTOCOL] : [])];
    const page = portal ? ["pathname", "search", "hash", "href"] : [];
    const roots = [...OF_THE_PAGE, ...free, ...page];
    return dependsOn(
      roots.filter((each) => !fixed.includes(each) || asked.includes(each)),
      sources,
    );
  }

  const roots = [...OF_THE_PAGE, ...free].filter((each) => each !== PROTOCOL);
  const [isOfProtocol, isOfMore] = [dependsOn([PROTOCOL], sources), dependsOn(roots, sources)];
  /** The pages over http show what these conditions do. */
  const isOfProtocolAlone = ({ about }: Site) => about.some(isOfProtocol) && !about.some(isOfMore);

  const hooks = `_${randomBytes(4).toString("hex")}`;
  const isOpen = outside([USUAL_NAME, "location"]);
  const isChosen = readsChosen([...OF_THE_PAGE, ...free], sources);
  const { scripts, sites } = instrument(parsed, hooks, isOpen, isChosen);

  const isNamed = (name: string) =>
    parsed.some(({ script }) => new RegExp(`\\b${name}\\b`).test(script.text));
  return {
    portal,
    scripts,
    sites,
    /** The name under which the scripts find the hooks. */
    hooks,
    sources,
    functions: functionsIn(programs),
    keys: keysIn(programs),
    identifiers: identifiersIn(programs),
    free,
    own,
    lexical,
    /** What other scripts may define. */
    names: [...new Set([...free, ...LACKING.filter(isNamed)])],
    outside,
    isOfProtocolAlone,
    ...openPlaces(parsed, sites),
  };
}

/** With a computed key, any part of the address may be meant. */
function readsAnyPart(programs: readonly Program[], sources: Sources): boolean {
  const isAddress = (name: string) => name === "location" || sources.get(name)?.has("location");
  return allNodesOf(programs).some(
    (node) =>
      node.type === "MemberExpression" &&
      propertyOf(node) === undefined &&
      namesIn(node.object).some(isAddress),
  );
}

/** The keys that the scripts read or write. */
function keysIn(programs: readonly Program[]): string[] {
  const keys = allNodesOf(programs).flatMap((node) => {
    if (node.type === "MemberExpression") return propertyOf(node) ?? [];
    return node.type === "Property" && !node.computed ? (nameOf(node.key) ?? []) : [];
  });
  return [...new Set(keys)];
}

function identifiersIn(programs: readonly Program[]): ReadonlySet<string> {
  const names = allNodesOf(programs).map((node) => (node.type === "Identifier" ? node.name : ""));
  return new Set(names);
}

function openPlaces(parsed: readonly Parsed[], sites: readonly Site[]) {
  /** The innermost statement around a line, and all that begin on it: a minified file has one line. */
  function statementsAt({ file, line }: At): Node[] {
    const script = parsed[Number.parseInt(file, 10)]?.script;
    const around = sites
      .filter(({ at, kind }) => at.script === script && /^(?:statement|tried|function)$/.test(kind))
      .filter(({ at }) => lineOf(at.script, at.start) <= line && lineOf(at.script, at.end) >= line)
      .toSorted((one, other) => lengthOf(one.at) - lengthOf(other.at));
    return around
      .filter(({ at }, nth) => nth === 0 || lineOf(at.script, at.start) === line)
      .map(({ code }) => code);
  }

  function stretchOf({ file, line }: At): Stretch {
    const script = (parsed[Number.parseInt(file, 10)] ?? parsed[0])?.script;
    if (!script) throw new TypeError("nothing was evaluated");
    return lineAt(script, line);
  }

  return { statementsAt, stretchOf };
}

const lengthOf = ({ start, end }: Stretch) => end - start;
