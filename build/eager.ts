// The pieces of the command → the same, with brackets around the functions that every run of a command calls.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { FRONT_DOOR } from "../src/start/pieces.js";

/** What people wait for; most other commands begin alike. */
const RUNS = [["validate"], ["plan", "--offline"]];

/**
 * V8 reads a function twice, once to see where it ends and once more when it is called, but for one in brackets, which it
 * takes to be called at once. So what these runs call is put in brackets, for the first run of all.
 */
export function withEagerFunctions(
  pieces: ReadonlyMap<string, string>,
  file: string,
): ReadonlyMap<string, string> {
  const called = calledIn(pieces, file);
  return new Map(
    [...pieces].map(([name, code]) => [name, withBrackets(code, called.get(name) ?? [])]),
  );
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

/** By the name of a piece, where its functions stand that were called. */
function calledIn(pieces: ReadonlyMap<string, string>, file: string): Map<string, Range[]> {
  const folder = mkdtempSync(join(tmpdir(), "lintel-pieces-"));
  const told = join(folder, "told");
  try {
    for (const [name, code] of pieces) writeFileSync(join(folder, name), code);
    mkdirSync(told);
    // Nothing of whoever builds, so that the same is called everywhere.
    const env = { NODE_V8_COVERAGE: told, LINTEL_ALLOWED_HOSTS: "*.example.com" };
    for (const words of RUNS) {
      const call = [join(folder, FRONT_DOOR), ...words, file];
      execFileSync(process.execPath, call, { cwd: folder, env, stdio: "pipe" });
    }
    const called = new Map<string, Range[]>();
    for (const name of readdirSync(told)) {
      const { result } = JSON.parse(readFileSync(join(told, name), "utf8")) as Coverage;
      for (const { url, functions } of result) {
        const ranges = functions.flatMap(({ ranges: [whole] }) => (whole?.count ? [whole] : []));
        called.set(basename(url), [...(called.get(basename(url)) ?? []), ...ranges]);
      }
    }
    return called;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of a piece's own functions alone, which stand at its beginning then, where they can be called from all of it. */
function withBrackets(code: string, called: readonly Range[]): string {
  const whole = (range: Range) => range.startOffset === 0 && range.endOffset >= code.length;
  const inOrder = called
    .filter((range) => !whole(range))
    .toSorted(
      (one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset,
    );
  let [first, rest, at] = ["", "", 0];
  let end = 0;
  for (const { startOffset, endOffset } of inOrder) {
    if (startOffset < end) continue;
    end = endOffset;
    const text = code.slice(startOffset, endOffset);
    const [, kind, name, more] = /^((?:async )?function\*? ?)([\w$]+)(\(.*)$/s.exec(text) ?? [];
    // What stands within an expression stays there.
    if (name === undefined || !/(^|[;}\n])$/.test(code.slice(0, startOffset))) continue;
    first += `var ${name}=(${kind}${more});`;
    rest += code.slice(at, startOffset);
    at = endOffset;
  }
  return first + rest + code.slice(at);
}
