// The library door: check files, plan for their portals, apply.
export {
  apply,
  check,
  plan,
  type ApplyOptions,
  type DiagnosticCode,
  type PlanOptions,
  type Results,
} from "./library.js";
export type { Diagnostic, Place, Severity } from "./diagnostic.js";
export type { Change } from "./plan/diff.js";
export type { Guard } from "./plan/guard.js";
export type { Plan } from "./plan/plan.js";
export type { PortalResult, Status } from "./plan/result.js";
