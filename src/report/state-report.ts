// Prints a state and its holds for a terminal.
import type { Identity } from "../plan/inputs.js";
import { formatPath, type Path } from "../settings.js";
import { isEqual } from "../lib/json.js";
import {
  appliesOf,
  authorText,
  type Applied,
  type Author,
  type Journal,
  type Hold,
  type Moved,
  type State,
} from "../state/state.js";
import type { Trust } from "../state/signature.js";
import type { StateReader } from "../state/state-store.js";
import { shownValue } from "./difference.js";
import { inColumns } from "./text-layout.js";
import { type Styles } from "./styles.js";
import { counted, oneLine } from "../lib/text.js";

interface Remembered {
  readonly state: State | undefined;
  /** Whether it has a signature that this run could verify. */
  readonly signature?: Trust | null;
}

export function stateText(
  {
    portal,
    store: { place },
  }: { readonly portal: Identity; readonly store: Pick<StateReader, "place"> },
  { state, signature }: Remembered,
  styles: Styles,
): string {
  const head = [
    ["portal", `${portal.url} (${portal.id})`],
    ["place", place],
  ] as const;
  if (!state) return lines([...inColumns(head, styles), "", "Nothing has been applied yet."]);
  const { serial, lineage, leaves, alsoSent = [], journal, hold, history, moved } = state;
  const last = appliesOf({ history }).at(-1);
  const since = journal && `${openText(journal, styles)}: its outcome is unknown`;
  const managed = leaves.map(({ path, sent, shown }) => {
    const otherwise = isEqual(sent, shown) ? "" : `, shown as ${shownValue(shown, 200)}`;
    return row("", path, shownValue(sent, 200) + otherwise);
  });
  const others = alsoSent.map(({ path, sent }) => row("", path, shownValue(sent, 200)));
  return lines([
    ...inColumns(
      [
        ...head,
        ["serial", String(serial)],
        ["lineage", lineage],
        ["last apply", last ? entryHead(last, styles) : "none"],
        ...(moved ? [["moved", movedText(moved, styles)] as const] : []),
        ["journal", since ?? "closed"],
        ["hold", hold ? holdText(hold, styles) : "none"],
        ...(signature ? [["signature", TRUST[signature]] as const] : []),
      ],
      styles,
    ),
    "",
    styles.bold(`${counted(leaves.length, "setting")} managed`),
    ...inColumns(managed, styles),
    ...(others.length > 0
      ? ["", styles.bold(`${counted(others.length, "setting")} sent without being managed`)]
      : []),
    ...inColumns(others, styles),
  ]);
}

function movedText({ to, time, by }: Moved, styles: Styles): string {
  return oneLine(`to ${to} by ${authorText(by)} at ${styles.time(time)}`);
}

export const TRUST: Readonly<Record<Trust, string>> = {
  verified: "verified",
  "not-verified": "not verified, because LINTEL_STATE_KEY is not set, or empty",
};

/** "2026-01-02 03:04 UTC by ada, apply 7, commit 0123456789ab" */
export function entryHead({ kind, time, by, number, outcome }: Applied, styles: Styles): string {
  const head = `${styles.time(time)} by ${authorText(by)}, ${kind} ${number}`;
  const unsettled = outcome && `outcome ${outcome}`;
  const more = [unsettled, commitText(by)];
  return [head, ...more].filter(Boolean).join(", ");
}

/** By whom and from where the update was sent that may still arrive. */
export function openText({ time, by }: Journal, styles: Styles): string {
  const commit = commitText(by);
  return oneLine(
    `open since ${styles.time(time)} by ${authorText(by)}${commit ? `, ${commit}` : ""}`,
  );
}

export function holdText({ since, by, why, until }: Hold, styles: Styles): string {
  const end = until === undefined ? "" : ` until ${styles.time(until)}`;
  return `since ${styles.time(since)}${end} by ${authorText(by)}: ${why}`;
}

/** The reader must know that the commit does not contain all that was applied. */
export function commitText({ commit }: Author): string | undefined {
  if (commit === undefined) return undefined;
  const name = commit.replace(/-dirty$/, "");
  const isDirty = name !== commit;
  return `commit ${name.slice(0, 12)}${isDirty ? " with changes that are not committed" : ""}`;
}

function row(head: string, path: Path, text: string) {
  return [`  ${head}${formatPath(path)}`, text] as const;
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
