// Counts how many of the migrator's claims about random programs are wrong, and shortens the first such programs.
import { fc } from "../support/property.js";
import { SETTINGS, check, type Checked, type Contradiction, type Setting } from "./claims.js";
import { definesConfiguration } from "./outsiders.js";
import { program, textOf, type Program } from "./programs.js";
import { worldsOf } from "./worlds.js";

export interface Figures {
  readonly programs: number;
  /** They do not end in one of their worlds. */
  readonly dropped: number;
  readonly claims: number;
  readonly notUnderstood: number;
  readonly contradictions: number;
  readonly contradictedPrograms: number;
  readonly untoldOverHttp: number;
  /** The migrator itself failed. */
  readonly failures: readonly string[];
  readonly secondsOfMigrator: number;
  readonly seconds: number;
}

export interface Running {
  readonly programs: number;
  readonly seed?: number | undefined;
  /** How many contradicted programs are printed in full. */
  readonly shown?: number;
  readonly tell: (text: string) => void;
}

/** While the migrator thinks about some programs, others are evaluated here. */
const LANES = 4;

export async function runPrograms({ programs, seed, shown = 5, tell }: Running): Promise<Figures> {
  const startedMs = performance.now();
  const sum = { claims: 0, notUnderstood: 0, contradictions: 0, untoldOverHttp: 0 };
  const failures: string[] = [];
  const contradicted = new Set<Program>();
  const dropped = new Set<Program>();
  let migratorMs = 0;
  const drawn = fc.sample(program, seed === undefined ? programs : { numRuns: programs, seed });
  const jobs = drawn
    .flatMap((each) => SETTINGS.map((setting) => ({ program: each, setting })))
    .values();
  const lane = async () => {
    for (const { program, setting } of jobs) {
      const text = textOf(program);
      try {
        const checked = await check(text, setting);
        if (!checked) {
          dropped.add(program);
          continue;
        }
        migratorMs += checked.migratorMs;
        sum.claims += checked.claims;
        sum.notUnderstood += checked.notUnderstood;
        sum.contradictions += checked.contradictions.length;
        sum.untoldOverHttp += checked.untold.length;
        const [first] = checked.contradictions;
        if (!first || contradicted.has(program)) continue;
        contradicted.add(program);
        if (contradicted.size <= shown) tell(await told(program, setting));
      } catch (thrown) {
        if (failures.length < shown) failures.push(`${String(thrown)}\n${text}`);
      }
    }
  };
  await withoutRejections(() => Promise.all(Array.from({ length: LANES }, lane)));
  return {
    programs,
    dropped: dropped.size,
    ...sum,
    contradictedPrograms: contradicted.size,
    failures,
    secondsOfMigrator: Math.round(migratorMs / 1000),
    seconds: Math.round((performance.now() - startedMs) / 1000),
  };
}

/** A promise that a program leaves rejected is nothing to us; our own are. */
async function withoutRejections<T>(run: () => Promise<T>): Promise<T> {
  const listener = (reason: unknown) => {
    if (reason instanceof Error) throw reason;
  };
  process.on("unhandledRejection", listener);
  try {
    return await run();
  } finally {
    process.off("unhandledRejection", listener);
  }
}

/** With no more lines than it takes to be wrong, in the worlds in which it was. */
async function told(given: Program, { portal }: Setting): Promise<string> {
  const whole = textOf(given);
  const worlds = worldsOf(whole, portal);
  const isWrong = async (text: string): Promise<Checked | undefined> => {
    if (definesConfiguration(text) !== definesConfiguration(whole)) return undefined;
    try {
      const checked = await check(text, { portal, worlds });
      return checked && checked.contradictions.length > 0 ? checked : undefined;
    } catch {
      return undefined;
    }
  };
  let short: Program = given;
  for (const wrap of ["<body>", given.wrap]) {
    const lines = given.lines;
    if (await isWrong(textOf({ lines, wrap }))) {
      short = { lines, wrap };
      break;
    }
  }
  for (let at = short.lines.length - 1; at >= 0; at--) {
    const fewer = { ...short, lines: short.lines.toSpliced(at, 1) };
    if (await isWrong(textOf(fewer))) short = fewer;
  }
  const text = textOf(short);
  const [first] = (await isWrong(text))?.contradictions ?? [];
  return first ? `${text}\n${inWords(first)}` : text;
}

export function inWords({ name, claimed, found, world, isAfterwards }: Contradiction): string {
  const { url, cookie, referrer, language, userAgent, platform, stored, random, width } = world;
  const lines = [
    `// ${name} is said to be ${JSON.stringify(claimed)}, and is ${found === undefined ? "missing" : JSON.stringify(found)}`,
    `//   ${isAfterwards ? "when the page has loaded" : "at the end of the script"}, at ${url}, ${new Date(world.now).toString().slice(0, 24)}`,
    `//   ${JSON.stringify({ cookie, referrer, language, userAgent, platform, stored, random, width })}`,
    ...world.setup.split("\n").map((line) => `//   ${line}`),
  ];
  return `${lines.join("\n")}\n`;
}
