// What pipelines ask of the platform that they run on: pull requests, issues, approvals, and its settings.
import { Failure } from "../failure.js";

/** What a run for a pull request made. Its author may have changed that run, so it is text and nothing more. */
export interface Planned {
  /** As people call it, such as "#7". */
  readonly name: string;
  /** Undefined where the run made no plan. */
  readonly plan: string | undefined;
  readonly runUrl: string;
  readonly commit: string;
  /** The comments that begin with the marker; somebody else may have written one. */
  comments(marker: string): Promise<readonly Comment[]>;
  write(body: string): Promise<void>;
}

export interface Comment {
  readonly body: string;
  /** False where it was written by somebody else. */
  change(body: string): Promise<boolean>;
}

export interface DriftIssue {
  readonly name: string;
  readonly isOpen: boolean;
  readonly body: string;
}

/** What an issue says: a mark that shows whether it is the same as before, and the report. */
export interface DriftReport {
  readonly mark: string;
  readonly text: string;
}

export interface DriftIssues {
  /** An open one, else the newest: whoever closed that one has seen it. */
  find(): Promise<DriftIssue | undefined>;
  open(report: DriftReport): Promise<void>;
  /** Opens it again where it is closed. */
  update(issue: DriftIssue, report: DriftReport): Promise<void>;
  close(issue: DriftIssue, sentence: string): Promise<void>;
}

export interface Platform {
  /** The longest comment, in characters. */
  readonly longest: number;
  /** Open pull requests whose runs have ended. `folder` holds what the run left, where the platform downloads that. */
  planned(folder: string | undefined): Promise<readonly Planned[]>;
  readonly issues: DriftIssues;
  /** Says who approved this run; fails where approvals are not required, or nobody else approved it. */
  assertApproved(environment: string): Promise<string>;
  /** When runs by the clock before this one began, in milliseconds, the newest first. */
  clockRuns(): Promise<readonly number[]>;
}

export const DRIFT_TITLE = "Portal settings were changed outside Lintel";

export function notApproved(message: string, help: string): Failure {
  return new Failure("not-approved", message, help);
}

/** The first lines of a comment or an issue. */
export function markerOf(kind: "proposal" | "drift"): string {
  return `<!-- lintel ${kind} -->`;
}

/** The sentence of who approved a run, which its own authors cannot do. */
export function approvedBy(
  approvers: readonly { readonly id: string; readonly name: string }[],
  authors: readonly string[],
  setting: string,
): string {
  const own = new Set(authors.map((each) => each.toLowerCase()));
  const others = approvers.filter(({ id }) => !own.has(id.toLowerCase()));
  const names = [...new Set(others.map(({ name }) => name))];
  if (names.length > 0) return `Approved by ${names.join(", ")}.`;
  const message =
    approvers.length > 0 ? "Only the author approved this run." : "No one approved this run.";
  throw notApproved(message, `Another person has to approve it. ${setting}`);
}

export function needed(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = env[name]?.trim();
  if (value) return value;
  throw new Failure(
    "credential-missing",
    `The variable ${name} is not set.`,
    "The platform sets it in its jobs. For a token, see:\n  lintel help pipelines",
  );
}
