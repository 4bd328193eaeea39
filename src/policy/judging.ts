// A file's tree and its policies → what it and each plan for it break, as diagnostics at the line that does.
import { eachOnce, mistakeOf, sortDiagnostics, type Diagnostic } from "../diagnostic.js";
import type { Desired } from "../document/read/desired.js";
import { desiredLeaves } from "../document/read/leaves.js";
import { placeOf } from "../document/read/source.js";
import { diagnose } from "../document/read/tree.js";
import { boundariesOf, desiredAt, timeOf } from "../document/schedule/at.js";
import { isOpenAt, windowsOf } from "../document/schedule/windows.js";
import type { Change } from "../plan/diff.js";
import { formatPath, type DesiredLeaf } from "../settings.js";
import { sentence } from "../lib/text.js";
import { changeCase, hostOf, settingsOf, withContrast, type Case } from "./case.js";
import { judge, type Finding } from "./judge.js";
import { placeFor, startOf } from "./place.js";
import { POLICY, type Policy } from "./policy.js";

export interface Judging {
  /** What can be said without a portal: of the file without windows, now, and at each of its boundaries to come. */
  ofFile(nowMs: number): readonly Diagnostic[];
  ofPlan(planned: Planned): readonly Diagnostic[];
}

export interface Planned {
  /** What is wanted: by the file at that moment, or by a rollback. */
  readonly leaves: readonly DesiredLeaf[];
  readonly changes: readonly Change[];
  /** Then the leaves are of an earlier time, and no line of the file says them. */
  readonly isPutBack?: boolean | undefined;
  readonly atMs: number;
}

/** How findings are told. */
interface Telling extends Pick<Planned, "leaves" | "isPutBack"> {
  readonly changes?: readonly Change[];
  /** The windows that are open then. */
  readonly open?: readonly string[];
}

/** `key` tells the portal apart; undefined where the file does not say where it is. */
export function openJudging(
  { root, file, portal, target, deployment }: Desired,
  key: string | undefined,
  policies: readonly Policy[],
): Judging {
  const host = hostOf(portal.url);
  const windows = windowsOf(root);
  const caseOf = (leaves: readonly DesiredLeaf[], atMs: number | undefined): Case =>
    withContrast({
      portal: {
        name: portal.name,
        ...(host !== undefined && { host }),
        ...(key !== undefined && { key }),
      },
      targetVersion: target.asked,
      deployment,
      file,
      settings: settingsOf(leaves),
      schedule: windows.map((window) => ({
        ...timeOf(window),
        isOpen: atMs !== undefined && isOpenAt(window, atMs),
      })),
    });
  const tell = (
    findings: readonly Finding[],
    { leaves, changes = [], isPutBack = false, open = [] }: Telling,
  ): Diagnostic[] =>
    together(findings).map(({ finding, more }) => {
      const { policy, condition, path, how } = finding;
      const [first, index] = path;
      const changed = changes.map((each) => each.path);
      const change = first === "changes" ? changes[Number(index ?? NaN)] : undefined;
      const others = more > 0 ? ` So are ${more} more.` : "";
      const names = open.map((name) => `"${name}"`).join(", ");
      const when = isPutBack ? " once it is rolled back" : names && ` while ${names} is open`;
      const what = change
        ? `The change of "${formatPath(change.path)}" is against it.${others}`
        : `"${formatPath(path)}" ${how}${when}.`;
      const found = diagnose(
        { code: POLICY + policy.name, severity: policy.severity },
        isPutBack ? startOf(root) : placeFor(path, root, leaves, changed),
        `${sentence(policy.message)} ${what}`,
        policy.help,
      );
      const rule = {
        place: placeOf(condition.at.span),
        message: `is where the policy "${policy.name}" asks for it`,
      };
      return { ...found, related: [...found.related, rule] };
    });
  return {
    ofFile: (nowMs) => {
      const own = desiredLeaves(root);
      const base = judge(policies, caseOf(own, undefined));
      const known = new Set(base.map(mark));
      const later = [nowMs, ...boundariesOf(root).filter((ms) => ms > nowMs)].flatMap((ms) => {
        const { leaves, schedule } = desiredAt(root, ms);
        const open = schedule?.open.map(({ name }) => name) ?? [];
        if (open.length === 0) return [];
        // What is so without a window has been told.
        const found = judge(policies, caseOf(leaves, ms)).filter((each) => !known.has(mark(each)));
        return tell(found, { leaves, open });
      });
      return sortDiagnostics([...tell(base, { leaves: own }), ...eachOnce(later, mistakeOf)]);
    },
    ofPlan: (planned) => {
      const { leaves, changes, atMs } = planned;
      const given = { ...caseOf(leaves, atMs), changes: changes.map(changeCase) };
      return sortDiagnostics(tell(judge(policies, given, atMs), planned));
    },
  };
}

function mark({ policy, path, how }: Finding): string {
  return JSON.stringify([policy.name, path, how]);
}

/** One freeze stops all changes for one reason, and is told once. */
function together(findings: readonly Finding[]) {
  const told = new Map<unknown, { finding: Finding; more: number }>();
  for (const finding of findings) {
    const isOfChanges = finding.path[0] === "changes";
    const key = isOfChanges ? finding.condition : finding;
    const first = told.get(key);
    if (first) first.more++;
    else told.set(key, { finding, more: 0 });
  }
  return [...told.values()];
}
