// What somebody else changed on portals → when and by whom each was applied last, and the commands that go on from there.
import { showTime, UTC } from "../../lib/text.js";
import { pullCall } from "../../plan/guard.js";
import type { ChangeReport } from "./change.js";

export interface LastApply {
  /** As ISO 8601, in UTC. */
  readonly time: string;
  readonly by: string;
}

/** "2026-06-01 09:30 UTC by ana"; of several from the first to the last, by all who did it. Empty where nobody ever did. */
export function lastAppliesText(all: readonly (LastApply | undefined)[]): string {
  const known = all.flatMap((each) => each ?? []);
  const times = known.map(({ time }) => time).toSorted();
  const [first, last] = [times[0], times.at(-1)].map((time) => time && showTime(time, UTC));
  if (!first) return "";
  const by = [...new Set(known.map((each) => each.by))].toSorted();
  return `${first === last ? first : `${first} to ${last}`} by ${by.join(", ")}`;
}

export interface Step {
  readonly text: string;
  readonly command: string;
}

/** `quoted` are the files, as a shell reads them; of how many portals they are. `words` open what stops an apply there. */
export function stepsAfterDrift(
  changes: readonly ChangeReport[],
  { quoted, portals, words }: Record<"quoted" | "words", string> & { readonly portals: number },
): Step[] {
  const [file, says] = portals === 1 ? ["the file", "says"] : ["the files", "say"];
  const isManaged = ({ change }: ChangeReport) => change.notes.length === 0;
  const shown = changes.filter((each) => isManaged(each) && each.change.after !== null);
  const pull = pullCall(
    shown.map(({ change }) => change.path),
    quoted,
  );
  return [
    ...(pull ? [{ text: `To keep it, write it into ${file}:`, command: pull }] : []),
    ...(changes.some(isManaged)
      ? [
          {
            text: `To put back what ${file} ${says}:`,
            command: ["lintel apply", quoted, words].filter(Boolean).join(" "),
          },
        ]
      : []),
    ...(changes.every(isManaged)
      ? []
      : [
          {
            text: `To manage what is not set yet, write that into ${file}, too:`,
            command: `lintel pull ${quoted} --all`,
          },
        ]),
  ];
}
