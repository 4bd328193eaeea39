// Makes random programs from seeds, as real or nasty configuration files could be; the same ones in every run.
import { Script } from "node:vm";
import type { Arbitrary } from "fast-check";
import { createRandom } from "../../src/sandbox/faults.js";
import { fc } from "../support/property.js";
import { emptyDraft, grow } from "./grammar.js";
import { diceOf } from "./literals.js";
import { drawSettings } from "./values.js";

export interface Program {
  /** Statements of which each may be left out, to find out which of them matter. */
  readonly lines: readonly string[];
  /** What stands around them, with `<body>` in their place. */
  readonly wrap: string;
}

const seed = fc.noShrink(fc.noBias(fc.nat()));

export const program: Arbitrary<Program> = fc
  .record({
    settings: seed,
    wrap: seed,
    head: seed,
    before: fc.noBias(fc.array(seed, { maxLength: 2 })),
    after: fc.noBias(fc.array(seed, { minLength: 1, maxLength: 5 })),
  })
  .map(({ settings, wrap, head, before, after }): Program => {
    const dice = (from: number) => diceOf(createRandom(from));
    const draft = emptyDraft(drawSettings(dice(settings)));
    const around = grow("wrap", draft, dice(wrap));
    const first = before.map((each) => grow("before", draft, dice(each)));
    const isPlain = around === "<body>";
    first.push(grow(isPlain ? "head-top" : "head", draft, dice(head)));
    draft.isDefined = true;
    // One line that could do anything hides what the others do, so that every second program has none.
    const kind = dice(wrap ^ settings).isOneIn(2) ? "statement" : "mild";
    const rest = after.map((each) => grow(kind, draft, dice(each)));
    return { lines: [...draft.lines, ...first, ...rest], wrap: around };
  })
  .filter((made) => isJavaScript(textOf(made)));

export function textOf({ lines, wrap }: Program): string {
  const body = lines.join("\n");
  return wrap.replace("<body>", () => body);
}

/** A rule meets others that it cannot stand beside: `with` in a strict function, for instance. */
function isJavaScript(text: string): boolean {
  try {
    return new Script(text) instanceof Script;
  } catch {
    return false;
  }
}
