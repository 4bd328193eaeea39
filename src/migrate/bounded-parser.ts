// acorn's parser, which refuses what nests too deep before the stack of this process is full.
import { Parser } from "acorn";

export const TOO_DEEP = "nests too deep";

/**
 * A stack that is full is more than an error: where V8 has to compile a regular expression right then, it ends the
 * process. The stack of Node holds at least three times as many.
 */
export const DEEPEST = 1_200;

/** Where acorn's methods call themselves, and what a call counts for: an operand of a sum takes less than a bracket. */
const STEPS: Readonly<Record<string, number>> = {
  parseExprOp: 1,
  parseMaybeUnary: 4,
  parseMaybeAssign: 4,
  parseExprAtom: 4,
  parseBindingAtom: 4,
  parseStatement: 4,
  regexp_disjunction: 4,
  regexp_eatNestedClass: 4,
};

interface Counting {
  steps: number;
  readonly start: number;
  raise(offset: number, message: string): never;
}

type Method = (this: Counting, ...args: unknown[]) => unknown;

export const BoundedParser = Parser.extend((Base) => {
  class Bounded extends Base {
    steps = 0;
  }
  const methods = Bounded.prototype as unknown as Record<string, Method>;
  for (const [name, count] of Object.entries(STEPS)) {
    const inherited = methods[name];
    if (!inherited) throw new TypeError(`acorn has no method "${name}"`);
    methods[name] = function (...args) {
      this.steps += count;
      if (this.steps > DEEPEST) this.raise(this.start, TOO_DEEP);
      const parsed = inherited.apply(this, args);
      this.steps -= count;
      return parsed;
    };
  }
  return Bounded;
});
