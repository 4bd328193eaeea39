// Old configuration files as bytes → one outcome a property, and what is wrong with the files themselves.
import { commentsOf } from "./comment.js";
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
  /** One that is kept for more than one migration. */
  readonly engine?: Engine | undefined;
}

export interface Migration {
  readonly files: readonly ReadFile[];
  /** Where a file is no JavaScript, nothing of any is judged: a browser would not have run it either. */
  readonly slips: readonly Remark[];
  /** Absent where the files were not evaluated, or not to the end. */
  readonly evaluation?: Evaluation;
  readonly failure?: EngineFailure;
  /** Where a portal finds no property. */
  readonly elsewhere?: Remark;
  readonly properties: readonly Judged[];
  /** What was written beside a property for people. */
  commentsOf(judged: Judged): readonly string[];
}

export async function migrate(files: readonly OldFile[], migrating: Migrating): Promise<Migration> {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const reads = files.map(({ file, bytes }) => readFile(file, bytes));
  const parsed = size > LARGEST ? [] : reads.map(({ script }) => parseScript(script));
  const slips = parsed.flatMap((each) => ("problem" in each ? [each.problem] : []));
  const whole = parsed.flatMap((each) => ("problem" in each ? [] : [each]));
  const none = { files: reads, slips, properties: [], commentsOf: () => [] };
  if (size > LARGEST) return { ...none, failure: new EngineFailure("size") };
  if (slips.length > 0) return none;
  const engine = migrating.engine ?? openEngine();
  try {
    const evaluation = await evaluate(whole, migrating.portal, engine);
    const judged = judge(evaluation, placesOf(whole), migrating);
    if (judged.length === 0 || evaluation.look.name === undefined) {
      return { ...none, evaluation, elsewhere: findElsewhere(whole, evaluation.look) };
    }
    return {
      ...none,
      evaluation,
      properties: inOrder(judged, whole),
      commentsOf: ({ entry }) => {
        const own = whole.find(({ script }) => script === entry?.name.script);
        return own && entry ? commentsOf(entry, own.comments) : [];
      },
    };
  } catch (error) {
    if (error instanceof EngineFailure) return { ...none, failure: error };
    // What goes through a tree goes as deep as it nests.
    if (error instanceof RangeError) return { ...none, failure: new EngineFailure("depth") };
    throw error;
  } finally {
    if (!migrating.engine) await engine.close();
  }
}

/** In bytes, all files together; those of portals have up to 40,000. */
const LARGEST = 1_000_000;

/** As the files have them. */
function inOrder(properties: readonly Judged[], reads: readonly Parsed[]): Judged[] {
  const rank = new Map(reads.map(({ script }, at) => [script, at]));
  return properties.toSorted(({ at: one, entry: first }, { at: other, entry: second }) => {
    const [left, right] = [first?.name ?? one, second?.name ?? other];
    return (rank.get(left.script) ?? 0) - (rank.get(right.script) ?? 0) || left.start - right.start;
  });
}
