// Diagnostics → a fingerprint of each, by which platforms know a problem again.
import { digestOfText } from "../../lib/digest.js";
import type { Diagnostic } from "../../diagnostic.js";

/**
 * Platforms take two with the same for one. So a fingerprint says nothing of lines, which move with whatever is written
 * above, and counts those that are alike.
 */
export function fingerprintsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  const counts = new Map<string, number>();
  return diagnostics.map(({ file, code, message }) => {
    const problem = JSON.stringify([file, code, message]);
    const count = (counts.get(problem) ?? 0) + 1;
    counts.set(problem, count);
    return digestOfText(JSON.stringify([problem, count]));
  });
}
