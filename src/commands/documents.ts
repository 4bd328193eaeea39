// Declares the JSON documents of the other commands, and lists those of all.
import type { Catalog } from "../catalog/facts.js";
import type { Severity } from "../diagnostic.js";
import type { Pulled } from "../document/edit/pull.js";
import type { Exit, FailureCode } from "../failure.js";
import type { GuardName } from "../guard.js";
import type { Json } from "../lib/json.js";
import type { PropertyOutcome } from "../migrate/judge.js";
import type {
  CommandDocument,
  DiffDocument,
  DriftDocument,
  FailureDocument,
  HistoryEntryDocument,
  HistoryFailureDocument,
  PlanDocument,
  PortalNameDocument,
  StatusDocument,
  StatusPortalDocument,
  ValidateDocument,
} from "../report/documents.js";
import type { EVENT_KINDS } from "../serve/events/event.js";
import type { QueueStatus } from "../serve/queue/status.js";
import type { Entry, Hold, OpenEntry, State } from "../state/state.js";
import type { Unlocked } from "../state/state-store.js";

/** Of commands on the states and files of portals. The facts of a single portal stand at the top as well. */
type PerPortal<Facts> = CommandDocument &
  Partial<Facts> & {
    /** In the order of the files. */
    readonly portals: readonly (MemberDocument & Partial<Facts>)[];
  };

/** A portal that a command is about. */
export type MemberDocument = PortalNameDocument & {
  /** The exit status of a run for this portal alone. */
  readonly exitCode: Exit;
  /** Why this portal failed; else null. */
  readonly failure: FailureDocument | null;
};

/** Of `history`. */
export type HistoryDocument = PerPortal<HistoryFacts>;

export interface HistoryFacts {
  /** The oldest entry first. */
  readonly history: readonly Entry[];
  /** An apply or rollback with an unknown outcome; else null. */
  readonly journal: OpenEntry | null;
}

/** Of `hold`. */
export type HoldDocument = PerPortal<HoldFacts>;

export interface HoldFacts {
  /** The hold: since when, by whom, why and until when. */
  readonly held: Partial<Hold>;
  /** The number of the state after it. */
  readonly serial: number;
}

/** Of `unhold`. */
export type UnholdDocument = PerPortal<UnholdFacts>;

export interface UnholdFacts {
  /** Whether there was a hold. */
  readonly unheld: boolean;
  /** The number of the state after it. */
  readonly serial: number;
}

/** Of `state` and its actions. */
export type StateDocument = PerPortal<
  StateShowFacts & StateUnlockFacts & StateSignFacts & StateRmFacts & StateMoveFacts
> & {
  /** Of `state move`: the files whose `state:` was changed. */
  readonly written?: readonly string[];
  /** Of `state move`: the files whose `state:` must be changed by hand. */
  readonly notWritten?: readonly string[];
};

export interface StateShowFacts {
  /** Where the state is kept. */
  readonly place: string;
  /** The state; null before the first apply. */
  readonly state: State | null;
  /** `not-verified`: signed, but this run has no key. Null: not signed. */
  readonly signature: StatusPortalDocument["signature"];
}

export interface StateUnlockFacts {
  /** The lock of an HTTP server: `none`, `ended`, or `heldBy` another tool. */
  readonly lock: Unlocked;
  /** The entry that was closed, and whether its update arrived; null where none was open. */
  readonly journal: (OpenEntry & { readonly arrived: boolean }) | null;
}

/** Of `state sign` and `state accept`. */
export interface StateSignFacts {
  /** Where the state is kept. */
  readonly place: string;
  /** Whether it was signed or accepted. */
  readonly signed: boolean;
  /** The number of the state; null before the first apply. */
  readonly serial: number | null;
}

export interface StateRmFacts {
  /** The settings that are no longer managed. */
  readonly released: readonly string[];
  /** The number of the state after it. */
  readonly serial: number | null;
}

export interface StateMoveFacts {
  /** `was-there`: an earlier move had completed. `none`: there was no state. */
  readonly status: "moved" | "was-there" | "returned" | "none";
  /** The old address. */
  readonly from: string;
  /** The new address. */
  readonly to: string;
  /** The number of the state after it. */
  readonly serial: number | null;
}

/** Of `pull`. */
export type PullDocument = PerPortal<PullFacts> & {
  /** The file that was to be written. */
  readonly file?: string;
  /** Of `--into-base`: the bases from which the portals take values. */
  readonly bases?: readonly BaseDocument[];
};

/** A base that sets values of the portals. */
export interface BaseDocument {
  /** The base. */
  readonly file: string;
  /** The values that differ from what the portals show. */
  readonly pulled: readonly (PulledDocument & {
    /** The portals that take the value from this base. */
    readonly portals: readonly string[];
  })[];
  /** Whether the base was changed. */
  readonly isWritten: boolean;
}

interface PulledDocument {
  /** Such as `informationalBanner.text`. */
  readonly path: string;
  /** The value in the file before. */
  readonly before: Json;
  /** The value on the portal; null if it shows none, or if the portals of a base show several. */
  readonly value: Json;
  /** What happened to the value. */
  readonly outcome: Pulled["outcome"];
  /** Why the value was not written; else null. */
  readonly why: string | null;
}

export interface PullFacts {
  /** The file that was to be written. */
  readonly into: string;
  /** The settings that differ from the portal. */
  readonly pulled: readonly (PulledDocument & {
    /** The place in a base whose value it overrides for this portal. */
    readonly overrides: string | null;
  })[];
  /** The settings that were named and that the file does not manage. */
  readonly notCompared: readonly string[];
  /** How many values `--path` leaves out. */
  readonly changesLeftOut: number;
  /** The files that were written. */
  readonly written: readonly string[];
}

/** Of `doctor`. */
export type DoctorDocument = PerPortal<DoctorFacts>;

export interface DoctorFacts {
  /** The account that signed in; else null. */
  readonly account: string | null;
  /** Its role on the portal. */
  readonly role: string | null;
  /** When the token expires. */
  readonly tokenEnds: string | null;
  /** What was checked, in order. */
  readonly steps: readonly {
    /** What was checked. */
    readonly name: string;
    /** The result. */
    readonly status: "ok" | "warning" | "failed" | "skipped";
    /** For people; may change in later versions. */
    readonly message: string;
    /** What to do; else null. */
    readonly help: string | null;
  }[];
}

/** Of `init`. With `--from-portal` it holds what `pull` reports, too. */
export type InitDocument = CommandDocument &
  Partial<PullFacts> & {
    /** The files that were written. */
    readonly written: readonly string[];
    /** With `--from-portal`: as of `pull`. */
    readonly portals?: PullDocument["portals"];
    /** With `--from-portal`: the desired-state file. */
    readonly file?: string;
  };

/** Of `explain`: one of these keys, or `settings` and `others`. */
export interface ExplainDocument extends CommandDocument {
  /** The settings that the words describe; with `--file` also where the file sets them. */
  readonly settings?: readonly (SettingDocument & Partial<InFileDocument>)[];
  /** Keys, guards and rules that the words describe. */
  readonly others?: readonly { readonly name: string; readonly meaning: string }[];
  /** A key of a desired-state file. */
  readonly key?: KeyDocument;
  /** The same, in the file that `--file` names. */
  readonly keys?: readonly (KeyDocument & InFileDocument)[];
  /** An option, once for each meaning. */
  readonly options?: readonly {
    readonly label: string;
    readonly description: string;
    readonly commands: readonly string[];
  }[];
  /** A code or an exit status. */
  readonly code?: CodeDocument;
  /** A rule for desired-state files. */
  readonly rule?: {
    readonly code: string;
    readonly severity: Severity;
    readonly meaning: string;
  };
  /** A guard. */
  readonly guard?: { readonly name: GuardName; readonly stops: string; readonly help: string };
}

/** A failure, a problem in a file, a note or an exit status. */
export interface CodeDocument {
  /** Absent for an exit status. */
  readonly code?: string;
  /** When it occurs. */
  readonly meaning: string;
  /** Of a failure and an exit status. */
  readonly exit?: Exit;
  /** Of a problem in a file. */
  readonly severity?: Severity;
  /** Of an exit status: the failures that end with it. */
  readonly codes?: readonly FailureCode[];
}

export interface SettingDocument {
  /** Such as `informationalBanner.text`. */
  readonly path: string;
  /** The type of its value. */
  readonly type: string;
  /** The allowed values; null if the reference lists none. */
  readonly values: readonly Json[] | null;
  /** The documented default. */
  readonly default: Json;
  /** Whether the reference documents a default. */
  readonly hasDocumentedDefault: boolean;
  /** The first version that has it. */
  readonly introduced: string | null;
  /** The version that deprecates it. */
  readonly deprecated: string | null;
  /** Another spelling of the name. */
  readonly alsoSpelled: string | null;
  /** What it does. */
  readonly meaning: string;
  /** A valid value. */
  readonly example: Json;
  /** Of the entries of a list. */
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly values: readonly Json[] | null;
    readonly meaning: string;
  }[];
}

export interface KeyDocument {
  /** Such as `portal.url`. */
  readonly path: string;
  /** What it does. */
  readonly meaning: string;
  /** The type of its value. */
  readonly type: string;
  /** The allowed values; else null. */
  readonly values: readonly Json[] | null;
  /** The value without a line in the file. */
  readonly default: Json;
  /** A valid value. */
  readonly example: Json;
  /** The keys below it. */
  readonly keys: readonly string[];
}

/** What a file sets. */
export interface InFileDocument {
  /** The value in the file, then the values that it overrides. */
  readonly inFile: readonly (PlaceDocument & {
    /** As the file writes it. */
    readonly value: string;
  })[];
  /** The values in open and coming windows. */
  readonly inWindows: readonly (PlaceDocument & {
    /** The window's name. */
    readonly window: string;
    /** The first moment of the window, in UTC. */
    readonly from: string;
    /** The first moment after the window, in UTC. */
    readonly until: string;
    /** Whether the window is open now. */
    readonly isOpen: boolean;
    /** As the file writes it. */
    readonly value: string;
  })[];
}

export interface PlaceDocument {
  /** The path of the file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** In UTF-16 code units, from 1. */
  readonly column: number;
}

/** Of `migrate`. */
export interface MigrateDocument extends CommandDocument {
  /** Every property of the old file. */
  readonly properties: readonly (PlaceDocument & {
    /** Its name in the old file. */
    readonly name: string;
    /** See docs/migration.md. */
    readonly outcome: PropertyOutcome;
    /** The value; null if it is not shown. */
    readonly value: Json;
    /** For people; may change in later versions. */
    readonly message: string;
  })[];
  /** The files that were written. */
  readonly written: readonly string[];
  /** The desired-state file, without `--out` and `--into`. */
  readonly yaml?: string;
}

/** Of `upgrade`. */
export type UpgradeDocument = PerPortal<UpgradeFacts>;

export interface UpgradeFacts {
  /** The target version of the file. */
  readonly from: string;
  /** The version of `--to`. */
  readonly to: string;
  /** Where the file sets the target version. */
  readonly targetVersion: PlaceDocument;
  /** Settings of the file that are deprecated in the new version. */
  readonly deprecated: readonly (PlaceDocument & {
    /** The setting. */
    readonly name: string;
    /** The version that deprecates it. */
    readonly since: string;
  })[];
  /** Settings that are new between the versions. */
  readonly available: readonly {
    readonly name: string;
    readonly since: string;
    readonly deprecated: string | null;
  }[];
  /** Settings that behave differently in the new version. */
  readonly changed: Catalog["changed"];
  /** The files that were written. */
  readonly written: readonly string[];
}

/** The line that `preview` prints when it is ready. */
export interface PreviewReadyDocument {
  /** Always true. */
  readonly ready: true;
  /** The address of the page. */
  readonly url: string;
  /** The files that it shows. */
  readonly files: readonly string[];
}

/** Of `preview`, when it ends. */
export interface PreviewDocument extends CommandDocument {
  /** The address of the live preview. */
  readonly url?: string;
}

/** Of `policy`. */
export interface PolicyDocument extends CommandDocument {
  /** Every policy. */
  readonly policies: readonly {
    /** Its name. */
    readonly name: string;
    /** Whether it blocks, or only reports. */
    readonly severity: Severity;
    /** Its file. */
    readonly file: string;
    /** How many examples it has. */
    readonly examples: number;
    /** How many of them have an unexpected result. */
    readonly failed: number;
  }[];
}

/** The line that `sandbox` prints when it is ready. */
export interface SandboxReadyDocument {
  /** Always true. */
  readonly ready: true;
  /** The address of the server. */
  readonly url: string;
  /** The root of the portal's REST interface. */
  readonly portalUrl: string;
  /** The address of the sign-in service. */
  readonly signInUrl: string;
  /** For `loginadmin`. */
  readonly beid: string;
  /** For `loginadmin`. */
  readonly webServicesKey: string;
  /** For `login` and `generate-token`. */
  readonly username: string;
  /** For `login` and `generate-token`. */
  readonly password: string;
  /** For `client-credentials`. */
  readonly clientId: string;
  /** For `client-credentials`. */
  readonly clientSecret: string;
  /** The ids of the portals. */
  readonly portals: readonly string[];
}

/** Of `sandbox`, when it ends. */
export interface SandboxDocument extends CommandDocument {
  /** The address of the server. */
  readonly url: string;
  /** The root of the portal's REST interface. */
  readonly portalUrl: string;
  /** The address of the sign-in service. */
  readonly signInUrl: string;
}

/** Of `queue` and its actions. */
export interface QueueDocument extends CommandDocument, Partial<QueueStatus> {
  /** Of `retry`: how many portals. */
  readonly retried?: number;
}

/** Of `ci` and its actions. */
export interface CiDocument extends CommandDocument {
  /** What was found or done, or what to do. */
  readonly message?: string;
}

/** A line of `serve` and `worker`. The keys of each event are listed in docs/output.md. */
export interface EventDocument {
  readonly formatVersion: 1;
  readonly time: string;
  readonly event: (typeof EVENT_KINDS)[number];
  /** Of an event about a portal: the same for every receiver. */
  readonly id?: string;
  readonly portal?: Pick<MemberDocument, "name" | "url" | "id" | "file">;
  readonly message: string;
  /** What to do; null where nothing is to be done. */
  readonly help: string | null;
  readonly [key: string]: Json | undefined;
}

/** The document of each command. */
export interface Documents {
  readonly init: InitDocument;
  readonly validate: ValidateDocument;
  readonly plan: PlanDocument;
  readonly apply: PlanDocument;
  readonly drift: DriftDocument;
  readonly diff: DiffDocument;
  readonly pull: PullDocument;
  readonly rollback: PlanDocument;
  readonly status: StatusDocument;
  readonly history: HistoryDocument;
  readonly hold: HoldDocument;
  readonly unhold: UnholdDocument;
  readonly state: StateDocument;
  readonly migrate: MigrateDocument;
  readonly upgrade: UpgradeDocument;
  readonly preview: PreviewDocument;
  readonly explain: ExplainDocument;
  readonly doctor: DoctorDocument;
  readonly policy: PolicyDocument;
  readonly sandbox: SandboxDocument;
  readonly queue: QueueDocument;
  readonly ci: CiDocument;
}

/** What `--output json` prints. Commands that run until they are stopped print a line for each event. */
export interface Outputs extends Omit<Documents, "preview" | "sandbox" | "queue"> {
  readonly preview: PreviewReadyDocument | PreviewDocument;
  readonly sandbox: SandboxReadyDocument | SandboxDocument;
  readonly queue: QueueDocument | EventDocument;
  readonly serve: EventDocument | CommandDocument;
  readonly worker: EventDocument | CommandDocument;
}

/** What a line of `--output jsonl` holds. */
export interface Lines {
  readonly history: HistoryEntryDocument | HistoryFailureDocument | CommandDocument;
}

/** What a command adds to what every document holds. */
export type Added<Name extends string> = Name extends keyof Documents
  ? Omit<Documents[Name], keyof CommandDocument>
  : object;
