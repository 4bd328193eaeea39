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
  DriftDocument,
  FailureDocument,
  PlanDocument,
  StatusDocument,
  StatusPortalDocument,
  ValidateDocument,
} from "../report/documents.js";
import type { NEWS } from "../serve/news/news.js";
import type { QueueStatus } from "../serve/queue/status.js";
import type { Entry, Hold, OpenEntry, State } from "../state/state.js";
import type { Unlocked } from "../state/state-store.js";

/** Of commands on the states and files of portals. The facts of a single portal stand at the top as well. */
type PerPortal<Facts> = CommandDocument &
  Partial<Facts> & { readonly portals: readonly (MemberDocument & Partial<Facts>)[] };

/** A portal that a command is about. */
export interface MemberDocument {
  readonly name: string;
  readonly url: string;
  readonly id: string;
  readonly file: string;
  readonly exitCode: Exit;
  readonly failure: FailureDocument | null;
}

/** Of `history`. */
export type HistoryDocument = PerPortal<HistoryFacts>;

export interface HistoryFacts {
  /** The oldest entry first. */
  readonly history: readonly Entry[];
  /** An apply or rollback that is not settled; null where there is none. */
  readonly journal: OpenEntry | null;
}

/** Of `hold`. */
export type HoldDocument = PerPortal<HoldFacts>;

export interface HoldFacts {
  readonly held: Partial<Hold>;
  readonly serial: number;
}

/** Of `unhold`. */
export type UnholdDocument = PerPortal<UnholdFacts>;

export interface UnholdFacts {
  /** Whether there was a hold. */
  readonly unheld: boolean;
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
  readonly signature: StatusPortalDocument["signature"];
}

export interface StateUnlockFacts {
  /** The lock of an HTTP server: `ended`, or held by another tool. */
  readonly lock: Unlocked;
  /** The entry that was closed, and whether its update arrived; null where none was open. */
  readonly journal: (OpenEntry & { readonly arrived: boolean }) | null;
}

/** Of `state sign` and `state accept`. */
export interface StateSignFacts {
  readonly place: string;
  readonly signed: boolean;
  /** The number of the state; null before the first apply. */
  readonly serial: number | null;
}

export interface StateRmFacts {
  /** The settings that are no longer managed. */
  readonly released: readonly string[];
  readonly serial: number | null;
}

export interface StateMoveFacts {
  readonly status: "moved" | "was-there" | "returned" | "none";
  readonly from: string;
  readonly to: string;
  readonly serial: number | null;
}

/** Of `pull`. */
export type PullDocument = PerPortal<PullFacts> & {
  /** The file that was to be written. */
  readonly file?: string;
};

export interface PullFacts {
  /** The file that was to be written. */
  readonly into: string;
  readonly pulled: readonly {
    readonly path: string;
    /** The value in the file before. */
    readonly before: Json;
    readonly value: Json;
    readonly outcome: Pulled["outcome"];
    /** Why the value was not written; null where it was. */
    readonly why: string | null;
    /** The place in a base whose value it overrides for this portal. */
    readonly overrides: string | null;
  }[];
  /** The settings that were named and that the file does not manage. */
  readonly notCompared: readonly string[];
  /** How many values `--path` leaves out. */
  readonly changesLeftOut: number;
  readonly written: readonly string[];
}

/** Of `doctor`. */
export type DoctorDocument = PerPortal<DoctorFacts>;

export interface DoctorFacts {
  /** The account that signed in; null where none did. */
  readonly account: string | null;
  readonly role: string | null;
  /** When the token ends. */
  readonly tokenEnds: string | null;
  readonly steps: readonly {
    readonly name: string;
    readonly status: "ok" | "warning" | "failed" | "skipped";
    readonly message: string;
    readonly help: string | null;
  }[];
}

/** Of `init`. With `--from-portal` it holds what `pull` reports, too. */
export type InitDocument = CommandDocument &
  Partial<PullFacts> & {
    readonly written: readonly string[];
    readonly portals?: PullDocument["portals"];
    readonly file?: string;
  };

/** Of `explain`: one of these keys, or `settings` and `others`. */
export interface ExplainDocument extends CommandDocument {
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
  readonly code?: CodeDocument;
  readonly rule?: {
    readonly code: string;
    readonly severity: Severity;
    readonly meaning: string;
  };
  readonly guard?: { readonly name: GuardName; readonly stops: string; readonly help: string };
}

/** A failure, a problem in a file, a note or an exit status. */
export interface CodeDocument {
  readonly code?: string;
  readonly meaning: string;
  /** Of a failure and an exit status. */
  readonly exit?: Exit;
  /** Of a problem in a file. */
  readonly severity?: Severity;
  /** Of an exit status: the failures that end with it. */
  readonly codes?: readonly FailureCode[];
}

export interface SettingDocument {
  readonly path: string;
  readonly type: string;
  /** The allowed values; null where the reference lists none. */
  readonly values: readonly Json[] | null;
  readonly default: Json;
  /** Whether the reference documents a default. */
  readonly hasDocumentedDefault: boolean;
  readonly introduced: string | null;
  readonly deprecated: string | null;
  /** Another spelling of the name. */
  readonly alsoSpelled: string | null;
  readonly meaning: string;
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
  readonly path: string;
  readonly meaning: string;
  readonly type: string;
  readonly values: readonly Json[] | null;
  readonly default: Json;
  readonly example: Json;
  /** The keys below it. */
  readonly keys: readonly string[];
}

/** What a file sets. */
export interface InFileDocument {
  /** The value, then what it overrides. */
  readonly inFile: readonly (PlaceDocument & { readonly value: string })[];
  /** Of windows that are open or still to come. */
  readonly inWindows: readonly (PlaceDocument & {
    readonly window: string;
    readonly from: string;
    readonly until: string;
    readonly isOpen: boolean;
    readonly value: string;
  })[];
}

export interface PlaceDocument {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Of `migrate`. */
export interface MigrateDocument extends CommandDocument {
  readonly properties: readonly (PlaceDocument & {
    readonly name: string;
    readonly outcome: PropertyOutcome;
    readonly value: Json;
    readonly message: string;
  })[];
  readonly written: readonly string[];
  /** The desired-state file, where no file was named. */
  readonly yaml?: string;
}

/** Of `upgrade`. */
export interface UpgradeDocument extends CommandDocument {
  readonly from: string;
  readonly to: string;
  readonly targetVersion: PlaceDocument;
  readonly deprecated: readonly (PlaceDocument & {
    readonly name: string;
    readonly since: string;
  })[];
  readonly available: readonly {
    readonly name: string;
    readonly since: string;
    readonly deprecated: string | null;
  }[];
  readonly changed: Catalog["changed"];
  readonly written: readonly string[];
}

/** The line that `preview` prints when it is ready. */
export interface PreviewReadyDocument {
  readonly ready: true;
  readonly url: string;
  readonly files: readonly string[];
}

/** Of `preview`, when it ends. */
export interface PreviewDocument extends CommandDocument {
  /** Of the live preview. */
  readonly url?: string;
}

/** Of `policy`. */
export interface PolicyDocument extends CommandDocument {
  readonly policies: readonly {
    readonly name: string;
    readonly severity: Severity;
    readonly file: string;
    /** How many examples it has. */
    readonly examples: number;
    /** How many of them have another result than they say. */
    readonly failed: number;
  }[];
}

/** The line that `sandbox` prints when it is ready. */
export interface SandboxReadyDocument {
  readonly ready: true;
  readonly url: string;
  /** The root of the portal's REST interface. */
  readonly portalUrl: string;
  readonly signInUrl: string;
  readonly beid: string;
  readonly webServicesKey: string;
  readonly username: string;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The ids of the portals. */
  readonly portals: readonly string[];
}

/** Of `sandbox`, when it ends. */
export interface SandboxDocument extends CommandDocument {
  readonly url: string;
  readonly portalUrl: string;
  readonly signInUrl: string;
}

/** Of `queue` and its actions. */
export interface QueueDocument extends CommandDocument, Partial<QueueStatus> {
  /** Of `retry`: how many portals. */
  readonly retried?: number;
}

/** A line of `serve` and `worker`. The keys of each event are listed in docs/output.md. */
export interface EventDocument {
  readonly formatVersion: 1;
  readonly time: string;
  readonly event: (typeof NEWS)[number];
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
}

/** What `--output json` prints. Commands that run until they are stopped print a line for each event. */
export interface Outputs extends Omit<Documents, "preview" | "sandbox" | "queue"> {
  readonly preview: PreviewReadyDocument | PreviewDocument;
  readonly sandbox: SandboxReadyDocument | SandboxDocument;
  readonly queue: QueueDocument | EventDocument;
  readonly serve: EventDocument | CommandDocument;
  readonly worker: EventDocument | CommandDocument;
}

/** What a command adds to what every document holds. */
export type Added<Name extends string> = Name extends keyof Documents
  ? Omit<Documents[Name], keyof CommandDocument>
  : object;
