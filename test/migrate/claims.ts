// Checks what the migrator claims of a program against what it leaves in twelve worlds.
import { isEqual, type Json } from "../../src/lib/json.js";
import { readPortalAddress } from "../../src/migrate/location.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { migrate } from "../../src/migrate/migrate.js";
import type { World } from "./page.js";
import { usesOutsiders } from "./outsiders.js";
import { PORTAL, evaluate, worldsOf, type Drawn, type Seen } from "./worlds.js";

export interface Contradiction {
  readonly name: string;
  readonly claimed: Json;
  /** Absent where the configuration does not have it. */
  readonly found: Json | undefined;
  readonly world: World;
  /** Only when timers, load handlers and promises have run. */
  readonly isAfterwards: boolean;
}

export interface Checked {
  readonly claims: number;
  readonly notUnderstood: number;
  /** One a property, for the first world that says otherwise. */
  readonly contradictions: readonly Contradiction[];
  /** It is otherwise over HTTP, and nobody is told. */
  readonly untold: readonly Contradiction[];
  readonly migratorMs: number;
}

export interface Setting {
  /** Where the migrator is told that the portal is. */
  readonly portal?: string | undefined;
  /** Those of the program itself, unless it is a part of another one. */
  readonly worlds?: readonly Drawn[] | undefined;
}

/** For all programs; it keeps no process from ending. */
const ENGINE = openEngine();

/** Nothing where the program does not end in one of the worlds. */
export async function check(
  text: string,
  { portal, worlds = worldsOf(text, portal) }: Setting = {},
): Promise<Checked | undefined> {
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const address = portal === undefined ? undefined : readPortalAddress(portal);
  const startedMs = performance.now();
  const migration = await migrate(files, {
    target: "12.1",
    takesAll: true,
    portal: address,
    engine: ENGINE,
  });
  const migratorMs = performance.now() - startedMs;
  const judged = migration.properties.filter(({ counterpart }) => counterpart);
  const notUnderstood = judged.filter(({ outcome }) => outcome === "not-understood").length;
  const contradictions: Contradiction[] = [];
  const untold: Contradiction[] = [];
  const claimed = judged.filter(
    ({ outcome, value }) => outcome !== "not-understood" && value !== undefined,
  );
  if (claimed.length === 0) {
    return { claims: 0, notUnderstood, contradictions, untold, migratorMs };
  }
  const seen = evaluate(text, worlds);
  if (!seen) return undefined;
  for (const { name, value = null, remarks } of claimed) {
    const against = (which: (drawn: Drawn) => boolean) =>
      contradiction(name, value, { text, worlds, seen, which });
    const found = against(({ twin }) => twin === undefined);
    if (found) contradictions.push(found);
    else if (!remarks.some(({ code }) => code === "address-scheme")) {
      const over = against(({ twin }) => twin !== undefined);
      if (over) untold.push(over);
    }
  }
  return { claims: claimed.length, notUnderstood, contradictions, untold, migratorMs };
}

interface Evidence {
  readonly text: string;
  readonly worlds: readonly Drawn[];
  readonly seen: readonly Seen[];
  readonly which: (drawn: Drawn) => boolean;
}

function contradiction(
  name: string,
  claimed: Json,
  { text, worlds, seen, which }: Evidence,
): Contradiction | undefined {
  for (const [at, drawn] of worlds.entries()) {
    const left = seen[at];
    if (!left || !which(drawn) || (mayMiss(text, drawn) && failsAlone(left, seen[0]))) continue;
    if (isWithoutName(left, text) || isOddData(left, seen[0], text)) continue;
    const { world } = drawn;
    const same = (found: Json | undefined) =>
      isEqual(claimed, found ?? null) || (claimed === null && isNoJson(found));
    if (!same(left.atEnd[name])) {
      return { name, claimed, found: left.atEnd[name], world, isAfterwards: false };
    }
    if (!same(left.afterwards[name])) {
      return { name, claimed, found: left.afterwards[name], world, isAfterwards: true };
    }
  }
  return undefined;
}

/** Another file's configuration holds what is used of it, too. */
function mayMiss(text: string, { world }: Drawn): boolean {
  return usesOutsiders(text) || world.setup.includes("esriGeowConfig = ");
}

/** The file has run on a portal, where no name was missing that it takes for granted. */
function failsAlone({ error }: Seen, plain: Seen | undefined): boolean {
  return error !== undefined && error !== plain?.error && /^(Type|Reference)Error/.test(error);
}

/** Nor did it use a name there that nobody defines, but for one that it gives a value itself. */
function isWithoutName({ error = "" }: Seen, text: string): boolean {
  const [, name] = /^ReferenceError: ([\w$]+) is not defined$/.exec(error) ?? [];
  if (name === undefined) return false;
  const own = name.replaceAll("$", "\\$&");
  // In strict code, what a text declares that is run as code ends with it.
  const code = text.replace(/\beval\("[^"]*"/g, "eval(");
  return !new RegExp(`\\b(?:var|let|const|class|function\\*?) ${own}\\b|\\b${own} *=(?!=)`).test(
    code,
  );
}

/** What it evaluates of the outside was data there. */
function isOddData({ error }: Seen, plain: Seen | undefined, text: string): boolean {
  const isOdd = error !== plain?.error && /^(?:Syntax|Reference)Error/.test(error ?? "");
  return isOdd && /\beval\(/.test(text);
}

/** What the file holds is invalid, and not a number, for instance. */
function isNoJson(found: Json | undefined): boolean {
  return typeof found === "object" && found !== null && "not JSON" in found;
}

export const SETTINGS: readonly Setting[] = [{}, { portal: PORTAL }];
