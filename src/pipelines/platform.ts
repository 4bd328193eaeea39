// What pipelines ask of the platform that they run on: pull requests, issues, approvals, and its settings.
import { Failure } from "../failure.js";

/** What a run for a pull request made. Its author may have changed that run, so it is text and nothing more. */
export interface Planned {
  /** As people call it, such as "#7". */
  readonly name: string;
  /** The newest finished run; undefined where there is none. Each pull request is read alone: it may break that. */
  run(): Promise<PlannedRun | undefined>;
  /** The comments that begin with the marker; another user may have written one. */
  comments(marker: string): Promise<readonly Comment[]>;
  write(body: string): Promise<void>;
}

export interface PlannedRun {
  /** Undefined where the run made no plan. */
  readonly plan: string | undefined;
  readonly url: string;
  readonly commit: string;
}

export interface Comment {
  readonly body: string;
  /** False where another user wrote it. */
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
  /** An open one, else the newest: the person who closed that one has seen it. */
  find(): Promise<DriftIssue | undefined>;
  /** Makes one if there is none. */
  write(issue: DriftIssue | undefined, report: DriftReport, isOpen: boolean): Promise<void>;
}

export interface Platform {
  /** The longest comment, in characters. */
  readonly longest: number;
  /** Open pull requests. `folder` holds what the run left, where the platform downloads that. */
  planned(folder: string | undefined): Promise<readonly Planned[]>;
  readonly issues: DriftIssues;
  /** When this run began, and the last one by the cron that succeeded. */
  clockRuns(): Promise<{ readonly current: string; readonly last: string | undefined }>;
  /** Says who approved this run; fails where approvals are not required, or where no other person approved it. */
  assertApproved(environment: string): Promise<string>;
}

export const OWN_RUNS = "People can approve their own runs.";
export const DRIFT_TITLE = "Portal settings were changed outside Lintel";

export function notApproved(message: string, help: string): Failure {
  return new Failure("not-approved", message, help);
}

/** The first lines of a comment or an issue. */
export function markerOf(kind: "proposal" | "drift"): string {
  return `<!-- lintel ${kind} -->`;
}

/** The text of an issue. People do not see the mark. */
export function driftBody({ mark, text }: DriftReport, runUrl: string): string {
  return `${markerOf("drift")}\n<!-- ${mark} -->\n\n${text.trim()}\n\nFound by [a run](${runUrl}).`;
}

interface Review {
  readonly id: string;
  readonly name: string;
  readonly isApproval: boolean;
}

/** The sentence of who approved. Stops where one is a rejection, or is of the person who started the run. */
export function approvedBy(
  reviews: readonly Review[],
  startedBy: readonly string[],
  setting = "",
): string {
  if (startedBy.length === 0)
    throw notApproved("The platform does not say who started this run.", "Start another run.");
  const own = new Set(startedBy.map((each) => each.toLowerCase()));
  if (reviews.some(({ isApproval }) => !isApproval))
    throw notApproved("A reviewer rejected this run.", "Start another run.");
  if (reviews.length === 0)
    throw notApproved("No one approved this run.", "Approve it on its page, as another person.");
  const others = reviews.filter(({ id }) => !own.has(id.toLowerCase()));
  const names = [...new Set(others.map(({ name }) => name))].join(", ");
  if (others.length === reviews.length) return `Approved by ${names}.`;
  const message =
    names === ""
      ? "Only the person who started this run approved it."
      : "The person who started this run approved it, too.";
  throw notApproved(
    message,
    `Start another run. Another person has to approve it. ${setting}`.trim(),
  );
}

/** What others wrote, without mentions and without GitLab's commands at the start of a line: the token would send them. */
export function inert(text: string): string {
  return text.replace(/@(?=[\w<])|^(?=[ \t]*\/)/gm, "$&\u200B");
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
