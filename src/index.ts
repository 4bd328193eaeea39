// The package's exports: the library, and the types and names of its results.
export {
  apply,
  check,
  drift,
  plan,
  render,
  rollback,
  status,
  type ApplyOptions,
  type CheckOptions,
  type Confirm,
  type DriftOptions,
  type NetworkOptions,
  type PlanOptions,
  type ReportDocument,
  type RollbackOptions,
  type RunOptions,
  type StatusOptions,
} from "./library.js";
export type { Format } from "./commands/command.js";
export { EXIT, Failure, type Exit, type FailureCode } from "./failure.js";
export { GUARDS, type GuardName } from "./guard.js";
export type {
  ChangeDocument,
  CommandDocument,
  DiagnosticDocument,
  DriftChangeDocument,
  DriftDocument,
  DriftPortalDocument,
  FailureDocument,
  GuardDocument,
  NoteDocument,
  PlanDocument,
  PortalDocument,
  StatusDocument,
  StatusPortalDocument,
  SummaryDocument,
  ValidateDocument,
} from "./report/documents.js";
