// Analyses the scripts: their sites, their names, and what of them depends on the page.
import { randomBytes } from "node:crypto";
import type { Node } from "acorn";
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
  type Test,
} from "./flow.js";
import { instrument, type Site } from "./instrument.js";
import type { At } from "./protocol.js";
import { nameOf, namesIn, nodesOf, propertyOf } from "./tree.js";

/** Scripts that load before others define none of these. */
const LACKING = [USUAL_NAME, "define", "exports", "module"];

export type Code = ReturnType<typeof analyse>;

export function analyse(parsed: readonly Parsed[], portal: PortalAddress | undefined) {
  const programs = parsed.map(({ program }) => program);
  const { free, own, lexical } = namesOf(programs);
  const sources = sourcesIn(programs);

  // With a computed key, any part of the address may be meant.
  const isAnyPart = programs
    .flatMap((each) => [...nodesOf(each)])
    .some(
      (node) =>
        node.type === "MemberExpression" &&
        propertyOf(node) === undefined &&
        namesIn(node.object).some(
          (name) => name === "location" || sources.get(name)?.has("location"),
        ),
    );

  /** Tests whether code depends on the page: on a configuration made before, or the portal's address, where it asks for them. */
  function outside(asked: readonly string[]): Test {
    const isFixed = portal !== undefined && !isAnyPart;
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
    /** The keys that the scripts read or write. */
    keys: [
      ...new Set(
        programs
          .flatMap((each) => [...nodesOf(each)])
          .flatMap((node) => {
            if (node.type === "MemberExpression") return propertyOf(node) ?? [];
            return node.type === "Property" && !node.computed ? (nameOf(node.key) ?? []) : [];
          }),
      ),
    ],
    identifiers: new Set(
      programs
        .flatMap((each) => [...nodesOf(each)])
        .flatMap((node) => (node.type === "Identifier" ? [node.name] : [])),
    ),
    free,
    own,
    lexical,
    /** What other scripts may define. */
    names: [...new Set([...free, ...LACKING.filter(isNamed)])],
    outside,
    isOfProtocolAlone,
    statementsAt,
    stretchOf,
  };
}

const lengthOf = ({ start, end }: Stretch) => end - start;
