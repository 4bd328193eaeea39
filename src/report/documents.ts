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
  readonly formatVersion: 1;
  /** The command's name. */
  readonly command: string;
  /** The exit status of the command. */
  readonly exitCode: Exit;
  /** Problems in files. */
  readonly diagnostics: readonly DiagnosticDocument[];
  /** What stopped the whole run; null where nothing did. */
  readonly failure: FailureDocument | null;
}

/** Of `validate`. */
export type ValidateDocument = CommandDocument;

/** Of `plan`, `apply` and `rollback`. */
export interface PlanDocument extends CommandDocument {
  /** In the order of the files. */
  readonly portals: readonly PortalDocument[];
  readonly summary: SummaryDocument;
  /** How many portals `only` leaves out. */
  readonly portalsLeftOut?: number;
}

/** Of `drift`. */
export interface DriftDocument extends CommandDocument {
  readonly portals: readonly DriftPortalDocument[];
  readonly summary: SummaryDocument;
  readonly portalsLeftOut?: number;
}

/** Of `status`. */
export interface StatusDocument extends CommandDocument {
  readonly portals: readonly StatusPortalDocument[];
  readonly summary: SummaryDocument;
  readonly portalsLeftOut?: number;
}

/** A problem in a file. Lines and columns count from 1, columns in UTF-16 code units. */
export interface DiagnosticDocument {
  /** See docs/codes.md; the code of a policy is `policy/` and its name. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** What to do. */
  readonly help: string;
  readonly file: string;
  /** Null where the file as a whole is meant. */
  readonly line: number | null;
  readonly column: number | null;
  readonly endLine: number | null;
  readonly endColumn: number | null;
  /** Other places that have to do with it. */
  readonly related: readonly {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly message: string;
  }[];
}

/** What stopped a run, or one of its portals. */
export interface FailureDocument {
  readonly code: FailureCode;
  readonly message: string;
  /** What to do; null where nothing can be done. */
  readonly help: string | null;
}

/** What became of one portal. */
export interface PortalDocument {
  readonly name: string;
  /** The root of the portal's REST interface; empty where the file does not set it. */
  readonly url: string;
  readonly id: string;
  readonly file: string;
  /** `changes` were planned and not applied; `held` is stopped by a hold; see docs/output.md. */
  readonly status: Status;
  /** The exit status of a run for this portal alone. */
  readonly exitCode: Exit;
  /** The target version; null where there is no plan. */
  readonly target: string | null;
  readonly deployment: string | null;
  /** What the file was compared with: the live portal, the last apply or both. */
  readonly comparedWith: ComparedWith;
  /** Whether the plan can be applied at all. What stops it nevertheless is in `stoppedBy`. */
  readonly applicable: boolean;
  /** What stops the apply: `hold`, `policy/NAME` or the names of guards. */
  readonly stoppedBy: readonly string[];
  /** Why the plan cannot be applied; null where it can. */
  readonly reason: Reason | null;
  /** Whether the outcome of an earlier update is unknown. */
  readonly isJournalOpen: boolean;
  readonly hold: PortalResult["hold"];
  /** The `timeZone` of the file; null where it names none. */
  readonly timeZone: string | null;
  /** The windows that are open and the next boundary; null where the file has no schedule. */
  readonly schedule: ScheduleDocument | null;
  /** All settings that the file wants, changed or not; null where there is no plan. */
  readonly desired: JsonObject | null;
  /** The changes that an apply would make, or has made. */
  readonly changes: readonly ChangeDocument[];
  readonly guards: readonly GuardDocument[];
  /** The policies that stop the apply, by name. */
  readonly policies: readonly string[];
  readonly notes: readonly (NoteDocument & { readonly path: string | null })[];
  /** How many changes `path` and `due` leave out. */
  readonly changesLeftOut: number;
  /** What an apply would send; null where it would send nothing. */
  readonly request: { readonly parameters: readonly string[]; readonly body: string } | null;
  readonly failure: FailureDocument | null;
}

export interface ScheduleDocument {
  readonly open: readonly WindowTime[];
  readonly next: Boundary | null;
}

export interface ChangeDocument {
  /** Such as `informationalBanner.text`. */
  readonly path: string;
  /** `set` and `default` are sent; `adopt` and `release` change the state alone. */
  readonly action: Action;
  /** What asks for the change. */
  readonly cause: Cause;
  /** The window that the change comes from. */
  readonly window?: ChangeWindow;
  /** The value of the portal; null where it has none, or none is known. */
  readonly before: Json;
  /** The value that the file wants; null where it wants none. */
  readonly after: Json;
  /** Where the file sets it; null where no file does. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly notes: readonly NoteDocument[];
}

export interface NoteDocument {
  readonly code: NoteCode;
  readonly message: string;
}

/** A guard that has something to block. */
export interface GuardDocument {
  readonly name: GuardName;
  readonly path: string | null;
  readonly message: string;
  /** Whether it is allowed. */
  readonly isOpen: boolean;
  /** What allows it; null where nothing does. */
  readonly openedBy: JsonObject | null;
}

export interface SummaryDocument {
  readonly portals: number;
  /** Portals with changes. */
  readonly changing: number;
  readonly changes: number;
  readonly changesLeftOut: number;
  readonly failed: number;
  /** Portals whose apply a guard stops. */
  readonly guarded: number;
  /** Portals whose apply a policy stops. */
  readonly againstPolicy: number;
}

/** A portal with the settings that were changed by hand since the last apply. */
export interface DriftPortalDocument extends Omit<PortalDocument, "changes"> {
  readonly changes: readonly DriftChangeDocument[];
}

export interface DriftChangeDocument {
  readonly path: string;
  readonly action: "drift";
  readonly cause: "drift";
  /** What the last apply left. */
  readonly before: Json;
  /** What the portal shows. */
  readonly after: Json;
  /** Whether the file sets it. */
  readonly isManaged: boolean;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly notes: readonly NoteDocument[];
}

export interface StatusPortalDocument extends PortalDocument {
  /** The number of the state; null before the first apply. */
  readonly serial: number | null;
  /** The newest entry of the history; null before the first apply. */
  readonly lastApply: Omit<Entry, "live"> | null;
  /** Whether the state's signature is verified; null where it has none. */
  readonly signature: "verified" | "not-verified" | null;
  /** What to do next. */
  readonly next: string;
}
