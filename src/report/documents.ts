// Declares the JSON documents about plans, drift and status: what `--output json` prints and the library returns.
import type { Severity } from "../diagnostic.js";
import type { Exit, FailureCode } from "../failure.js";
import type { GuardName } from "../guard.js";
import type { Json, JsonObject } from "../lib/json.js";
import type { Cause } from "../settings.js";
import type { Action } from "../plan/diff.js";
import type { NoteCode } from "../plan/note.js";
import type { ComparedWith, Reason } from "../plan/plan.js";
import type { PortalResult, Status } from "../plan/result.js";
import type { Boundary, ChangeWindow, WindowTime } from "../schedule.js";
import type { Entry } from "../state/state.js";

/** What every command says. */
export interface CommandDocument {
  /** Always 1. Keys are only added. */
  readonly formatVersion: 1;
  /** The command's name. */
  readonly command: string;
  /** The exit status of the command. */
  readonly exitCode: Exit;
  /** Problems in files. */
  readonly diagnostics: readonly DiagnosticDocument[];
  /** What stopped the whole run; else null. */
  readonly failure: FailureDocument | null;
}

/** Of `validate`. */
export type ValidateDocument = CommandDocument;

interface PortalsDocument<Portal> extends CommandDocument {
  /** In the order of the files. */
  readonly portals: readonly Portal[];
  /** Totals over all portals. */
  readonly summary: SummaryDocument;
  /** How many portals `--only` leaves out. */
  readonly portalsLeftOut?: number;
}

/** Of `plan`, `apply` and `rollback`. */
export type PlanDocument = PortalsDocument<PortalDocument>;

/** Of `drift`. */
export type DriftDocument = PortalsDocument<DriftPortalDocument>;

/** A line of `history --output jsonl`: an apply, a rollback, or what a person did to the state. */
export interface HistoryEntryDocument {
  /** Always 1. Keys are only added. */
  readonly formatVersion: 1;
  /** As ISO 8601, in UTC. */
  readonly time: string;
  /** The portal and its file. */
  readonly portal: PortalNameDocument;
  /** `apply`, `rollback`, or what a person did to the state. */
  readonly kind: Entry["kind"];
  /** Of a settled apply or rollback: 1, 2, 3; else null. */
  readonly number: number | null;
  /** `open`: not settled yet. `unknown`: another followed, and the update may not have arrived. */
  readonly outcome: "done" | "unknown" | "open";
  /** The same for all portals of one run. */
  readonly run: string | null;
  /** The person. */
  readonly actor: string;
  /** The account on the portal. */
  readonly account: string | null;
  /** The machine. */
  readonly host: string;
  /** The commit of the files. */
  readonly commit: string | null;
  /** The address of the pipeline's job. */
  readonly job: string | null;
  /** The reason that a person gave. */
  readonly why: string | null;
  /** When a hold ends. */
  readonly until: string | null;
  /** The digest of the plan. */
  readonly planDigest: string | null;
  /** The guards that were allowed. */
  readonly guards: readonly {
    /** See docs/guards.md. */
    readonly guard: string;
    /** The setting; null for the plan as a whole. */
    readonly path: string | null;
    /** What allowed it. */
    readonly how: Entry["guards"][number]["how"];
    /** The reason in the file, or what the window did. */
    readonly reason: string | null;
  }[];
  /** What was set. */
  readonly changes: readonly {
    /** Such as `informationalBanner.text`. */
    readonly path: string;
    /** As in a plan. */
    readonly action: Action;
    /** Why the change exists. */
    readonly cause: Cause;
    /** The window that the change comes from. */
    readonly window?: ChangeWindow | undefined;
    /** Null if the portal had no value; absent if it is unknown. */
    readonly before?: Json | undefined;
    /** What was sent. */
    readonly after: Json;
    /** What the portal showed instead. */
    readonly shown?: Json | undefined;
  }[];
  /** Settings that were sent although the file no longer manages them. */
  readonly alsoSent: readonly {
    /** Such as `informationalBanner.text`. */
    readonly path: string;
    /** The value. */
    readonly sent: Json;
  }[];
  /** Settings that a person released. */
  readonly released: readonly string[];
}

/** The line of a portal whose history could not be read. */
export interface HistoryFailureDocument {
  /** Always 1. */
  readonly formatVersion: 1;
  /** Of a portal whose history could not be read. The line has `failure` in place of an entry. */
  readonly portal: PortalNameDocument;
  /** Why it could not be read. */
  readonly failure: FailureDocument;
}

export interface PortalNameDocument {
  /** The portal's name in its file. */
  readonly name: string;
  /** The root of the portal's REST interface; empty if the file does not set it. */
  readonly url: string;
  /** The portal's id; usually `self`. */
  readonly id: string;
  /** The desired-state file. */
  readonly file: string;
}

/** Of `diff`. A run that failed compares nothing. */
export type DiffDocument = CommandDocument & ComparisonFacts;

export interface ComparisonFacts {
  /** The first side. */
  readonly from: SideDocument;
  /** The second side. */
  readonly to: SideDocument;
  /** In the order of the reference. */
  readonly differences: readonly SettingDifferenceDocument[];
  /** Counts of settings. */
  readonly summary: ComparisonSummary;
}

/** A file, or the live portal of that file. */
export type SideDocument = PortalNameDocument & {
  /** Whether the live portal was compared. */
  readonly isLive: boolean;
  /** The target version of the file. */
  readonly target: string;
};

/** A setting in which the two sides differ. */
export interface SettingDifferenceDocument {
  /** Such as `informationalBanner.text`. */
  readonly path: string;
  /** Null if the first side does not set it. */
  readonly from: SideValueDocument | null;
  /** Null if the second side does not set it. */
  readonly to: SideValueDocument | null;
}

export interface SideValueDocument {
  /** The value of that side. */
  readonly value: Json;
  /** The file that sets it; null on a live portal. */
  readonly file: string | null;
  /** The line of the value. */
  readonly line: number | null;
  /** The column of the value. */
  readonly column: number | null;
}

export interface ComparisonSummary {
  /** Settings that differ. */
  readonly differences: number;
  /** Settings that are equal. */
  readonly equal: number;
  /** How many differences `--path` leaves out. */
  readonly differencesLeftOut: number;
  /** Settings that were not compared, because a portal may hide them from the account. */
  readonly hidden: number;
}

/** Of `status`. */
export type StatusDocument = PortalsDocument<StatusPortalDocument>;

/** A problem in a file. Lines and columns count from 1, columns in UTF-16 code units. */
export interface DiagnosticDocument {
  /** See docs/codes.md; the code of a policy is `policy/` and its name. */
  readonly code: string;
  /** Only errors fail a command. */
  readonly severity: Severity;
  /** For people; may change in later versions. */
  readonly message: string;
  /** What to do. */
  readonly help: string;
  /** The path, as the command got it; `-` for standard input. */
  readonly file: string;
  /** Null for the file as a whole. */
  readonly line: number | null;
  /** In UTF-16 code units, from 1. */
  readonly column: number | null;
  /** Where the marked text ends. */
  readonly endLine: number | null;
  /** The first column after the marked text. */
  readonly endColumn: number | null;
  /** Other places that the problem concerns, such as a base. */
  readonly related: readonly {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly message: string;
  }[];
}

/** What stopped a run, or one of its portals. */
export interface FailureDocument {
  /** See docs/codes.md. */
  readonly code: FailureCode;
  /** For people; may change in later versions. */
  readonly message: string;
  /** What to do; null if there is nothing to do. */
  readonly help: string | null;
}

/** What became of one portal. */
export type PortalDocument = PortalNameDocument & {
  /** `changes`: planned, not applied. `held`: blocked by a hold. `skipped`: not started. */
  readonly status: Status;
  /** The exit status of a run for this portal alone. */
  readonly exitCode: Exit;
  /** The target version; null without a plan. */
  readonly target: string | null;
  /** The kind of portal; null without a plan. */
  readonly deployment: string | null;
  /** What the file was compared with: the live portal, the last apply or both. */
  readonly comparedWith: ComparedWith;
  /** False for a plan as of another time, or without a full view of the portal. See also `stoppedBy`. */
  readonly applicable: boolean;
  /** What blocks the apply: names of guards, `policy/NAME` or `hold`. */
  readonly stoppedBy: readonly string[];
  /** Why the plan is not applicable; else null. */
  readonly reason: Reason | null;
  /** Whether the outcome of an earlier update is unknown. */
  readonly isJournalOpen: boolean;
  /** The hold on the portal; else null. */
  readonly hold: PortalResult["hold"];
  /** The `timeZone` of the file; else null. */
  readonly timeZone: string | null;
  /** The open windows and the next boundary; null without a schedule. */
  readonly schedule: ScheduleDocument | null;
  /** All settings of the file at this moment, changed or not; null without a plan. */
  readonly desired: JsonObject | null;
  /** The changes that an apply would make, or has made. */
  readonly changes: readonly ChangeDocument[];
  /** The guards that found something, blocked or allowed. */
  readonly guards: readonly GuardDocument[];
  /** The names of the policies that block the apply. */
  readonly policies: readonly string[];
  /** Notes on settings, or on the portal as a whole (`path` is null). */
  readonly notes: readonly (NoteDocument & { readonly path: string | null })[];
  /** How many changes `--path` and `--due` leave out. */
  readonly changesLeftOut: number;
  /** What an apply would send; null if it would send nothing. */
  readonly request: { readonly parameters: readonly string[]; readonly body: string } | null;
  /** Why this portal failed; else null. */
  readonly failure: FailureDocument | null;
};

export interface ScheduleDocument {
  /** The windows that are open. */
  readonly open: readonly WindowTime[];
  /** When windows open or close next; else null. */
  readonly next: Boundary | null;
}

interface PlacedDocument {
  /** The file that sets the value; else null. */
  readonly file: string | null;
  /** The line of the value. */
  readonly line: number | null;
  /** The column of the value. */
  readonly column: number | null;
  /** Notes on this change. */
  readonly notes: readonly NoteDocument[];
}

export type ChangeDocument = {
  /** Such as `informationalBanner.text`. */
  readonly path: string;
  /** `set` and `default` are sent; `adopt` and `release` change the state alone. */
  readonly action: Action;
  /** Why the change exists. */
  readonly cause: Cause;
  /** The window that the change comes from. */
  readonly window?: ChangeWindow;
  /** The value on the portal; null if it has none, or none is known. */
  readonly before: Json;
  /** The value of the file; null if it has none. */
  readonly after: Json;
} & PlacedDocument;

export interface NoteDocument {
  /** See docs/codes.md. */
  readonly code: NoteCode;
  /** For people; may change in later versions. */
  readonly message: string;
}

/** A guard that has something to block. */
export interface GuardDocument {
  /** See docs/guards.md. */
  readonly name: GuardName;
  /** The setting; null for the plan as a whole. */
  readonly path: string | null;
  /** The reason. */
  readonly message: string;
  /** Whether it is allowed. */
  readonly isOpen: boolean;
  /** What allows it, else null. `by` is `command-line`, `prompt`, `drift`, `schedule` or `file`. */
  readonly openedBy: JsonObject | null;
}

export interface SummaryDocument {
  /** How many portals. */
  readonly portals: number;
  /** How many portals have changes. */
  readonly changing: number;
  /** How many changes, over all portals. */
  readonly changes: number;
  /** How many changes `--path` and `--due` leave out. */
  readonly changesLeftOut: number;
  /** How many portals failed. */
  readonly failed: number;
  /** How many portals a guard blocks. */
  readonly guarded: number;
  /** How many portals a policy blocks. */
  readonly againstPolicy: number;
}

/** A portal with the settings that were changed by hand since the last apply. */
export interface DriftPortalDocument extends Omit<PortalDocument, "changes"> {
  /** The settings that were changed since the last apply. */
  readonly changes: readonly DriftChangeDocument[];
}

export type DriftChangeDocument = {
  /** Such as `informationalBanner.text`. */
  readonly path: string;
  /** Always `drift`. */
  readonly action: "drift";
  /** Always `drift`. */
  readonly cause: "drift";
  /** What the last apply left. */
  readonly before: Json;
  /** What the portal shows. */
  readonly after: Json;
  /** Whether the file sets it. */
  readonly isManaged: boolean;
} & PlacedDocument;

export interface StatusPortalDocument extends PortalDocument {
  /** The number of the state; null before the first apply. */
  readonly serial: number | null;
  /** The newest entry of the history; null before the first apply. */
  readonly lastApply: Omit<Entry, "live"> | null;
  /** `not-verified`: signed, but this run has no key. Null: not signed. */
  readonly signature: "verified" | "not-verified" | null;
  /** The next command, or sentences with a command on each indented line. */
  readonly next: string;
}
