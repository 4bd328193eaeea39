// Scripts → runs of them, each in a world of its own.
import { randomBytes } from "node:crypto";
import { USUAL_NAME, settingNames } from "../known.js";
import type { PortalAddress } from "../location.js";
import type { Parsed } from "../read.js";
import { lineAt, type Stretch } from "../script.js";
import { instrument, type Instrumented } from "./instrument.js";
import { LANGUAGE, OUTSIDE, dependsOn, namesOf, type Is, type Names } from "./names.js";
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

export class Runs {
  readonly parsed: readonly Parsed[];
  readonly portal: PortalAddress | undefined;
  readonly names: Names;
  readonly instrumented: Instrumented;
  /** Names that code in a text uses, or code that is made. */
  readonly found: string[] = [];
  readonly settings = settingNames();
  readonly #engine: Engine;
  readonly #begun = performance.now();
  readonly #hooks = `_${randomBytes(4).toString("hex")}`;
  readonly #plain: Set<number>;
  #lost = 0;

  constructor(parsed: readonly Parsed[], portal: PortalAddress | undefined, engine: Engine) {
    this.parsed = parsed;
    this.portal = portal;
    this.#engine = engine;
    this.names = namesOf(parsed.map(({ program }) => program));
    const [isOutside, isOpen] = [this.outside([]), this.outside([USUAL_NAME, "location"])];
    this.instrumented = instrument(parsed, { hooks: this.#hooks, isOutside, isOpen });
    const { sites } = this.instrumented;
    const throwing = new Set(sites.flatMap(({ throws }) => throws));
    const plain = sites.flatMap(({ kind }, at) => (kind === "statement" ? [at + 1] : []));
    this.#plain = new Set(plain.filter((id) => !throwing.has(id)));
  }

  /** Whether a piece depends on the world outside, of which this was asked. */
  outside(asked: Iterable<string>): Is {
    const { used, tested, sources } = this.names;
    const all = [...asked];
    const known = [USUAL_NAME, ...(this.portal ? ["location"] : [])];
    // Where the portal is known, so is what its host decides.
    const page = this.portal ? ["pathname", "search", "hash", "href"] : [];
    const roots = [...OUTSIDE, ...used, ...tested, ...page].filter(
      (each) => !LANGUAGE.has(each) && (!known.includes(each) || all.includes(each)),
    );
    return dependsOn(roots, sources);
  }

  /** Of worlds that take too long no more than this many are tried. */
  isSpent(mostLost = 3): boolean {
    return this.#lost > mostLost || performance.now() - this.#begun > LONGEST_MS;
  }

  /** Undefined where the world took too long. */
  async run(world: World, limitMs = 600, probed?: string): Promise<Told | undefined> {
    const { used, tested, lexical } = this.names;
    const names = [...new Set([...used, ...tested, ...LACKING, ...this.found])];
    const given = {
      ...world,
      names: names.filter((each) => !world.missing.includes(each)),
      lexical,
      settings: this.settings,
      usual: USUAL_NAME,
      hooks: this.#hooks,
      probed,
    };
    const run = { scripts: this.instrumented.scripts, given, limitMs };
    const report = await this.#engine.run(run, this.#begun);
    if (!report) this.#lost++;
    // Of a statement nobody asks whether it was come to, unless it may throw; of a function, nobody asks twice.
    const came = report?.came.filter(([id]) => !this.#plain.has(id)) ?? [];
    const { sites } = this.instrumented;
    for (const [id] of came) if (sites[id - 1]?.kind === "entry") this.#plain.add(id);
    return report && { world, report: { ...report, came } };
  }

  /** The line without what stands before its first word. */
  lineAt({ file, line }: At): Stretch {
    const script = (this.parsed[Number.parseInt(file, 10)] ?? this.parsed[0])?.script;
    if (!script) throw new TypeError("nothing was evaluated");
    return lineAt(script, line);
  }
}

export function thrownIn({ report }: Told): string[] {
  return report.notes.flatMap(({ kind, text }) => (kind === "thrown" ? [text] : []));
}
