// Scripts → runs of them, each in a world of its own.
import { randomBytes } from "node:crypto";
import { USUAL_NAME, settingNames } from "../known.js";
import type { PortalAddress } from "../location.js";
import type { Parsed } from "../read.js";
import { lineAt, type Stretch } from "../script.js";
import { instrument } from "./instrument.js";
import { LANGUAGE, OUTSIDE, dependsOn, namesOf, type Is } from "./names.js";
import type { Engine } from "./runner.js";
import type { At, Report, World } from "./seam.js";

export interface Told {
  readonly world: World;
  readonly report: Report;
  /** Where it went another way than its answers lead to, and what that goes by. */
  readonly forcedAt?: Stretch | undefined;
  readonly about?: readonly Node[];
}
type Node = Parameters<Is>[0];

/** Scripts that are loaded before others have none of these, unless they need them. */
export const LACKING = [USUAL_NAME, "define", "exports", "module"];
/** Of the time for all worlds together, before the last of them begins. */
const LONGEST_MS = 6_000;

export type Runs = ReturnType<typeof openRuns>;

export function openRuns(
  parsed: readonly Parsed[],
  portal: PortalAddress | undefined,
  engine: Engine,
) {
  const begun = performance.now();
  const hooks = `_${randomBytes(4).toString("hex")}`;
  const settings = settingNames();
  const names = namesOf(parsed.map(({ program }) => program));
  const { used, tested, lexical, sources } = names;
  const [isOutside, isOpen] = [outside([]), outside([USUAL_NAME, "location"])];
  const instrumented = instrument(parsed, { hooks, isOutside, isOpen });
  const { sites, scripts } = instrumented;
  const throwing = new Set(sites.flatMap(({ throws }) => throws));
  // Of a statement nobody asks whether it was come to, unless it may throw; of a function, nobody asks twice.
  const plain = new Set(
    sites.flatMap(({ kind }, at) =>
      kind === "statement" && !throwing.has(at + 1) ? [at + 1] : [],
    ),
  );
  /** Names that code in a text uses, or code that is made. */
  const found: string[] = [];
  let lost = 0;

  /** Whether a piece depends on the world outside, of which this was asked. */
  function outside(asked: Iterable<string>): Is {
    const all = [...asked];
    const known = [USUAL_NAME, ...(portal ? ["location"] : [])];
    // Where the portal is known, so is what its host decides.
    const page = portal ? ["pathname", "search", "hash", "href"] : [];
    const roots = [...OUTSIDE, ...used, ...tested, ...page].filter(
      (each) => !LANGUAGE.has(each) && (!known.includes(each) || all.includes(each)),
    );
    return dependsOn(roots, sources);
  }

  /** Of worlds that take too long no more than this many are tried. */
  function isSpent(mostLost = 3): boolean {
    return lost > mostLost || performance.now() - begun > LONGEST_MS;
  }

  /** Undefined where the world took too long. */
  async function run(world: World, limitMs = 600, probed?: string): Promise<Told | undefined> {
    const all = [...new Set([...used, ...tested, ...LACKING, ...found])];
    const given = {
      ...world,
      names: all.filter((each) => !world.missing.includes(each)),
      lexical,
      settings,
      usual: USUAL_NAME,
      hooks,
      probed,
    };
    const report = await engine.run({ scripts, given, limitMs }, begun);
    if (!report) lost++;
    const came = report?.came.filter(([id]) => !plain.has(id)) ?? [];
    for (const [id] of came) if (sites[id - 1]?.kind === "entry") plain.add(id);
    return report && { world, report: { ...report, came } };
  }

  /** The line without what stands before its first word. */
  function lineOf({ file, line }: At): Stretch {
    const script = (parsed[Number.parseInt(file, 10)] ?? parsed[0])?.script;
    if (!script) throw new TypeError("nothing was evaluated");
    return lineAt(script, line);
  }

  return { parsed, portal, names, instrumented, found, settings, outside, isSpent, run, lineOf };
}

export function thrownIn({ report }: Told): string[] {
  return report.notes.flatMap(({ kind, text }) => (kind === "thrown" ? [text] : []));
}
