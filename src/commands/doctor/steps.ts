// Runs checks one after the other: each passes, passes with a remark, fails with a fix, or is skipped.
import { EXIT, Failure, type Exit } from "../../failure.js";
import { withoutFile } from "../../report/group.js";
import type { Styles } from "../../report/styles.js";
import { wrap } from "../../report/text-layout.js";
import { visible } from "../../lib/text.js";
import type { Part } from "../../cli/portal-parts.js";

/** What a step found out: fine, or fine with a remark. */
export type Finding = string | { readonly warning: string; readonly help: string };

export interface Step {
  readonly name: string;
  readonly status: "ok" | "warning" | "failed" | "skipped";
  readonly message: string;
  readonly help: string | null;
}

export type Examination = ReturnType<typeof newExamination>;

export function newExamination() {
  const steps: Step[] = [];
  const failed = new Set<string>();
  let exit: Exit = EXIT.done;

  /** A step is skipped where one that it needs did not succeed; undefined then, and where it fails. */
  async function step<T>(
    name: string,
    needs: readonly string[],
    look: () => Promise<readonly [T, Finding]>,
  ): Promise<T | undefined> {
    const missing = needs.find((each) => failed.has(each));
    if (missing) {
      failed.add(name);
      steps.push({ name, status: "skipped", message: `Needs "${missing}".`, help: null });
      return undefined;
    }
    try {
      const [value, finding] = await look();
      const isFine = typeof finding === "string";
      const { warning: message, help } = isFine ? { warning: finding, help: null } : finding;
      steps.push({ name, status: isFine ? "ok" : "warning", message, help });
      return value;
    } catch (error) {
      if (!(error instanceof Failure) || error.code === "interrupted") throw error;
      failed.add(name);
      if (exit === EXIT.done) exit = error.exit;
      steps.push({ name, status: "failed", message: error.message, help: error.help ?? null });
      return undefined;
    }
  }
  return { steps, step, exit: () => exit };
}

/** Of portals with equal results: what is fine is named alone, since its words are of each portal's own. */
export function stepsShared(steps: readonly Step[], file: string): NonNullable<Part["shared"]> {
  const told = steps
    .filter(({ status }) => status !== "ok")
    .map((each) => ({ ...each, help: each.help && withoutFile(each.help, file) }));
  const fine = steps.flatMap(({ name, status }) => (status === "ok" ? [name] : []));
  return {
    key: JSON.stringify([told, fine]),
    text: (styles, withNames) => {
      const named = told.map((each) => ({ ...each, help: each.help && withNames(each.help) }));
      const rest = fine.length > 0 ? `${styles.green("ok     ")}  ${fine.join(", ")}\n` : "";
      return (named.length > 0 ? stepsText(named, styles) : "") + rest;
    },
  };
}

export function stepsText(steps: readonly Step[], styles: Styles): string {
  const width = Math.max(...steps.map(({ name }) => name.length)) + 2;
  const marks = {
    ok: styles.green("ok     "),
    warning: styles.yellow("warning"),
    failed: styles.red("failed "),
    skipped: styles.dim("skipped"),
  };
  const indent = " ".repeat(9 + width);
  const wrapped = (text: string) => wrap(text, styles.messageWidth - indent.length);
  const lines = steps.flatMap(({ name, status, message, help }) => [
    `${marks[status]}  ${name.padEnd(width)}${wrapped(visible(message)).join(`\n${indent}`)}`,
    ...visible(help ?? "")
      .split("\n")
      .filter(Boolean)
      // An indented line is to be copied.
      .flatMap((line) => (line.startsWith(" ") ? [line] : wrapped(line)))
      .map((line) => `${indent}${styles.cyan(line)}`),
  ]);
  return `${lines.join("\n")}\n`;
}
