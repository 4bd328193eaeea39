// Migrates old configuration files: bytes become one outcome for each property, and problems of the files.
import { findElsewhere } from "./elsewhere.js";
import { evaluate } from "./evaluate/evaluate.js";
import type { Evaluation } from "./evaluate/evaluate.js";
import { EngineFailure, openEngine, type Engine } from "./evaluate/runner.js";
import { judge, type Judged, type Judging } from "./judge.js";
import { placesOf } from "./place.js";
import { parseScript, readFile, type Parsed, type ReadFile } from "./read.js";
import type { Remark } from "./remark.js";

export interface OldFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

interface Migrating extends Judging {
  /** Kept for more than one migration. */
  readonly engine?: Engine | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Migration {
  readonly files: readonly ReadFile[];
  /** Syntax errors. With one in any file nothing is judged. */
  readonly slips: readonly Remark[];
  /** Absent where the files were not evaluated to the end. */
  readonly evaluation?: Evaluation;
  readonly failure?: EngineFailure;
  /** Why a portal gets no property. */
  readonly elsewhere?: Remark;
  readonly properties: readonly Judged[];
}

export async function migrate(files: readonly OldFile[], migrating: Migrating): Promise<Migration> {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const reads = files.map(({ file, bytes }) => readFile(file, bytes));
  const parsed = size > LARGEST ? [] : reads.map(({ script }) => parseScript(script));
  const slips = parsed.flatMap((each) => ("problem" in each ? [each.problem] : []));
  const whole = parsed.flatMap((each) => ("problem" in each ? [] : [each]));
  const none = { files: reads, slips, properties: [] };
  if (size > LARGEST) return { ...none, failure: new EngineFailure("size") };
  if (slips.length > 0) return none;
  const engine = migrating.engine ?? openEngine(migrating.signal);
  try {
    const evaluation = await evaluate(whole as [Parsed, ...Parsed[]], migrating.portal, engine);
    const judged = judge(evaluation, placesOf(whole), migrating);
    if (judged.length === 0 || evaluation.look.name === undefined) {
      return { ...none, evaluation, elsewhere: findElsewhere(whole, evaluation.look) };
    }
    return { ...none, evaluation, properties: inOrder(judged, whole) };
  } catch (error) {
    if (error instanceof EngineFailure) return { ...none, failure: error };
    // Walkers of the tree recurse.
    if (error instanceof RangeError) return { ...none, failure: new EngineFailure("depth") };
    throw error;
  } finally {
    if (!migrating.engine) await engine.close();
  }
}

/** In bytes, all files together. A portal's file has up to 40,000. */
const LARGEST = 1_000_000;

/** The order of the files. */
function inOrder(properties: readonly Judged[], reads: readonly Parsed[]): Judged[] {
  const rank = new Map(reads.map(({ script }, at) => [script, at]));
  return properties.toSorted(
    ({ at: one }, { at: other }) =>
      (rank.get(one.script) ?? 0) - (rank.get(other.script) ?? 0) || one.start - other.start,
  );
}
