// Things to find out, one after the other → a step each: fine, fine with a remark, failed with what to do, or skipped for another's sake.
import { EXIT, Failure, type Exit } from "../../failure.js";
import type { Paint } from "../../report/text/paint.js";
import { visible } from "../../text.js";

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

export function stepsText(steps: readonly Step[], paint: Paint): string {
  const width = Math.max(...steps.map(({ name }) => name.length)) + 2;
  const marks = {
    ok: paint.green("ok     "),
    warning: paint.yellow("warning"),
    failed: paint.red("failed "),
    skipped: paint.dim("skipped"),
  };
  const lines = steps.flatMap(({ name, status, message, help }) => [
    `${marks[status]}  ${name.padEnd(width)}${visible(message)}`,
    ...visible(help ?? "")
      .split("\n")
      .filter(Boolean)
      .map((line) => `${" ".repeat(9 + width)}${paint.cyan(line)}`),
  ]);
  return `${lines.join("\n")}\n`;
}
