// The library door: a file's name → every problem of it.
export { check, type Checked, type Surroundings } from "./document/check.js";
export { readInput, readSource } from "./document/read.js";
export type { Diagnostic, DiagnosticCode, Place, Severity } from "./diagnostic.js";
