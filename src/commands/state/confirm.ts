// Asks before a change of states. Anything but yes stops the run.
import { Failure, wrongUsage } from "../../failure.js";
import { saysYes, type Io } from "../../io.js";

export async function assertConfirmed(
  question: string,
  io: Io,
  { options }: { readonly options: { readonly yes: boolean } },
): Promise<void> {
  if (options.yes) return;
  if (!io.stdin.isTerminal) {
    throw wrongUsage(
      `${question.split("\n")[0]} Cannot prompt: standard input is not a terminal.`,
      "If you are sure, run it again with:\n  --yes",
    );
  }
  if (!(await saysYes(io, question))) {
    throw new Failure("declined", "Cancelled at the prompt. Nothing was changed.");
  }
}
