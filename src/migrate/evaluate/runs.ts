// Scripts → runs of them, each in a world of its own.
import { USUAL_NAME, settingNames } from "../known.js";
import type { PortalAddress } from "../location.js";
import type { Parsed } from "../read.js";
import { instrument, type Instrumented } from "./instrument.js";
import { LANGUAGE, OUTSIDE, dependsOn, namesOf, type Names } from "./names.js";
import type { Engine } from "./runner.js";
import type { Report, World } from "./seam.js";
import { isName } from "./worlds.js";

export interface Told {
  readonly world: World;
  readonly report: Report;
}

export const MOST_WORLDS = 40;
/** Of worlds that take too long. */
export const MOST_LOST = 3;

/** Runs of the same scripts, each in a world of its own. */
export class Runs {
  readonly told: Told[] = [];
  readonly parsed: readonly Parsed[];
  readonly portal: PortalAddress | undefined;
  readonly names: Names;
  readonly instrumented: Instrumented;
  readonly settings = settingNames();
  readonly #engine: Engine;
  readonly #begun = performance.now();
  readonly #hooks: string;
  lost = 0;

  constructor(parsed: readonly Parsed[], portal: PortalAddress | undefined, engine: Engine) {
    this.parsed = parsed;
    this.portal = portal;
    this.#engine = engine;
    const taken = parsed.map(({ script }) => script.text).join("");
    let hooks = "lintel";
    while (taken.includes(hooks)) hooks += "_";
    this.#hooks = hooks;
    this.names = namesOf(parsed.map(({ program }) => program));
    this.instrumented = instrument(
      parsed,
      hooks,
      this.outside(new Set()),
      this.outside(new Set([USUAL_NAME])),
    );
  }

  /** Whether a piece depends on the world outside. */
  readonly outside = (asked: ReadonlySet<string>) => {
    const { used, lookedFor, sources } = this.names;
    const roots = [...OUTSIDE, ...[...used, ...lookedFor].filter((each) => !LANGUAGE.has(each))];
    const page = this.portal ? "pathname search hash href".split(" ") : [];
    // Where the portal is known, so is what its host decides.
    const isRoot = (each: string) =>
      each === USUAL_NAME ? asked.has(each) : each !== "location" || !this.portal;
    return dependsOn([...roots.filter(isRoot), ...page], sources);
  };

  /** So many took too long, or all together, that no more are tried. */
  isSpent(lost = MOST_LOST): boolean {
    return this.lost > lost || performance.now() - this.#begun > LONGEST_MS;
  }

  /** Undefined where the world took too long. */
  async run(world: World, limitMs = 600, probed?: string) {
    const { used, lookedFor, lexical } = this.names;
    const names = new Set([...used, ...lookedFor, ...Object.keys(world.answers)]);
    const given = {
      ...world,
      names: [...names].filter(isName),
      lexical,
      settings: this.settings,
      usual: USUAL_NAME,
      hooks: this.#hooks,
      probed,
    };
    const run = { scripts: this.instrumented.scripts, given, limitMs };
    const report = await this.#engine.run(run, this.#begun);
    if (!report) this.lost++;
    return report && { world, report };
  }

  async try(world: World): Promise<Told | undefined> {
    if (this.isSpent() || this.told.length >= MOST_WORLDS) return undefined;
    const told = await this.run(world);
    if (told) this.told.push(told);
    return told;
  }
}

/** Of the time for all worlds together, before the last of them begins. */
const LONGEST_MS = 6_000;
/** Over the portal's own protocol. */
export function isSecure(base: Told): (told: Told) => boolean {
  const of = ({ world }: Told) => JSON.stringify(world.answers["location.protocol"]);
  return (told) => of(told) === of(base);
}

export function thrownIn({ report }: Told): string[] {
  return report.notes.flatMap(({ kind, text }) => (kind === "thrown" ? [text] : []));
}
