// Checks a file and its plans against policies, and returns diagnostics at the lines that violate them.
import { eachOnce, mistakeOf, sortDiagnostics, type Diagnostic } from "../diagnostic.js";
import type { PortalFile } from "../document/read/desired.js";
import { desiredLeaves } from "../document/read/leaves.js";
import { placeOf } from "../document/read/source.js";
import { diagnose, entryAt, type Entry, type Node, type Placed } from "../document/read/tree.js";
import { boundariesOf, desiredAt, timeOf } from "../document/schedule/at.js";
import { isOpenAt, scheduleEntries, windowsAt } from "../document/schedule/windows.js";
import type { Change } from "../plan/diff.js";
import { formatPath, type DesiredLeaf, type Path } from "../settings.js";
import type { SettingPath } from "../../schemas/names.js";
import { referencePath, settingsOf } from "../catalog/spelling.js";
import { sentence } from "../lib/text.js";
import { changeInput, hostOf, withContrast, type PolicyInput } from "./policy-input.js";
import { judge, type Finding } from "./judge.js";
import { POLICY, type Policy } from "./policy.js";

export interface Judging {
  /** Checks without a portal: the file without windows, now, and at each coming boundary. */
  ofFile(nowMs: number): readonly Diagnostic[];
  ofPlan(planned: Planned): readonly Diagnostic[];
}

export interface Planned {
  /** The settings at that moment, from the file or a rollback. */
  readonly leaves: readonly DesiredLeaf[];
  readonly changes: readonly Change[];
  /** True for a rollback: the leaves are older, and on no line of the file. */
  readonly isRollback?: boolean | undefined;
  readonly atMs: number;
}

/** Describes the findings of one moment. */
interface Moment extends Pick<Planned, "leaves" | "isRollback"> {
  readonly changes?: readonly Change[];
  /** The windows that are open then. */
  readonly open?: readonly string[];
}

/** `key` identifies the portal; undefined if the file does not set its address. */
export function openJudging(
  desired: PortalFile,
  key: string | undefined,
  policies: readonly Policy[],
): Judging {
  const { root } = desired;
  return {
    ofFile: (nowMs) => {
      const own = desiredLeaves(root);
      const base = judge(policies, inputOf(desired, key, { leaves: own, nowMs }));
      const known = new Set(base.map(markOf));
      const later = [nowMs, ...boundariesOf(root, nowMs).filter((ms) => ms > nowMs)].flatMap(
        (ms) => {
          const { leaves, schedule } = desiredAt(root, ms);
          const open = schedule?.open.map(({ name }) => name) ?? [];
          if (open.length === 0) return [];
          const found = judge(policies, inputOf(desired, key, { leaves, nowMs, atMs: ms }));
          // Findings without any window are already included.
          const fresh = found.filter((each) => !known.has(markOf(each)));
          return describe(root, fresh, { leaves, open });
        },
      );
      return sortDiagnostics([
        ...describe(root, base, { leaves: own }),
        ...eachOnce(later, mistakeOf),
      ]);
    },
    ofPlan: (planned) => {
      const { leaves, changes, atMs } = planned;
      const input = inputOf(desired, key, { leaves, nowMs: atMs, atMs });
      const found = judge(policies, { ...input, changes: changes.map(changeInput) }, atMs);
      return sortDiagnostics(describe(root, found, planned));
    },
  };
}

interface InputMoment {
  readonly leaves: readonly DesiredLeaf[];
  readonly nowMs: number;
  /** Undefined for the file without its windows. */
  readonly atMs?: number;
}

function inputOf(
  { root, file, portal, target, deployment }: PortalFile,
  key: string | undefined,
  { leaves, nowMs, atMs }: InputMoment,
): PolicyInput {
  const host = hostOf(portal.url);
  return withContrast({
    portal: {
      name: portal.name,
      ...(host !== undefined && { host }),
      ...(key !== undefined && { key }),
    },
    targetVersion: target.asked,
    deployment,
    file,
    settings: settingsOf(leaves),
    schedule: windowsAt(root, atMs ?? nowMs).map((window) => ({
      ...timeOf(window),
      isOpen: atMs !== undefined && isOpenAt(window, atMs),
    })),
  });
}

function describe(
  root: Node,
  findings: readonly Finding[],
  { leaves, changes = [], isRollback = false, open = [] }: Moment,
): Diagnostic[] {
  const names = open.map((name) => `"${name}"`).join(", ");
  const when = isRollback ? " once it is rolled back" : names && ` while ${names} is open`;
  // A policy that blocks all changes is reported once.
  const first = eachOnce(findings, (each) => (isOfChange(each) ? each.condition : each));
  return first.map((finding) => {
    const { policy, condition, path, how } = finding;
    const same = findings.filter((each) => isOfChange(each) && each.condition === condition);
    const others = same.length > 1 ? ` So are ${same.length - 1} more.` : "";
    const change = isOfChange(finding) ? changes[Number(path[1] ?? NaN)] : undefined;
    const what = change
      ? `The change of "${formatPath(change.path)}" is against it.${others}`
      : `"${formatPath(path)}" ${how}${when}.`;
    const changed = changes.map((each) => each.path);
    const found = diagnose(
      { code: POLICY + policy.name, severity: policy.severity },
      isRollback ? startOf(root) : placeFor(path, root, leaves, changed),
      `${sentence(policy.message)} ${what}`,
      policy.help,
    );
    const rule = {
      place: placeOf(condition.at.span),
      message: `is where the policy "${policy.name}" asks for it`,
    };
    return { ...found, related: [...found.related, rule] };
  });
}

function isOfChange({ path }: Finding): boolean {
  return path[0] === "changes";
}

function markOf({ policy, path, how }: Finding): string {
  return JSON.stringify([policy.name, path, how]);
}

/** The place of a path in the file; its start if no line sets it. */
function placeFor(
  path: Path,
  root: Node,
  leaves: readonly DesiredLeaf[],
  changed: readonly Path[],
): Placed {
  const [first, ...below] = path;
  switch (first) {
    case "settings":
      return ofSetting(below, root, leaves);
    case "contrast":
      return ofSetting(CONTRAST.split("."), root, leaves);
    case "changes": {
      const [at] = below;
      const change = changed[typeof at === "number" ? at : 0];
      return change ? ofSetting(change, root, leaves) : startOf(root);
    }
    case "portal":
      return nearest(root, ["portal", below[0] === "name" ? "name" : "url"]);
    case "targetVersion":
    case "deployment":
      return nearest(root, [first]);
    case "schedule": {
      const name = scheduleEntries(root)[Number(below[0] ?? NaN)]?.[0];
      return nearest(root, name === undefined ? ["schedule"] : ["schedule", name]);
    }
    default:
      return startOf(root);
  }
}

const CONTRAST = "informationalBanner.fontColor" satisfies SettingPath;

/** An open window may set it, and the file may use another spelling. */
function ofSetting(path: Path, root: Node, leaves: readonly DesiredLeaf[]): Placed {
  const key = JSON.stringify(referencePath(path).slice(0, 2));
  const leaf = leaves.find((each) => JSON.stringify(referencePath(each.path).slice(0, 2)) === key);
  const own = leaf ? [...leaf.path.slice(0, 2), ...path.slice(2)] : path;
  const above = leaf?.window === undefined ? [] : ["schedule", leaf.window];
  return nearest(root, [...above, "settings", ...own]);
}

/** The value; if missing, the nearest key above it, or the start of the file. */
function nearest(root: Node, path: Path): Placed {
  const entry = entryAt(root, path);
  if (entry && path.length > 0) {
    const { kind } = entry.value;
    // A value of many lines is marked at its key.
    return kind === "mapping" || kind === "list" ? entry.key : entry.value;
  }
  for (let length = path.length - 1; length > 0; length--) {
    const above: Entry | undefined = entryAt(root, path.slice(0, length));
    if (above) return above.key;
  }
  return startOf(root);
}

function startOf(root: Node): Placed {
  return { span: { ...root.span, end: root.span.start }, via: [] };
}
