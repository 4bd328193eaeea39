// The map of src/: which files are nouns, and which rooms a room may import.

export const NOUNS = [
  "settings",
  "diagnostic",
  "failure",
  "outcome",
  "colour",
  "json",
  "io",
  "guard",
  "sign-in",
  "secret",
  "request",
  "redaction",
  "machine",
];

/** Room → the rooms that it may import besides itself. "nouns" stands for all of them. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  nouns: [],
  catalog: ["nouns"],
  document: ["nouns", "catalog"],
  plan: ["nouns", "catalog"],
  migrate: ["nouns", "catalog"],
  http: ["nouns"],
  session: ["nouns", "http", "catalog"],
  portal: ["nouns", "http", "catalog"],
  state: ["nouns", "http"],
  pages: ["nouns", "catalog"],
  sandbox: ["nouns", "catalog", "pages"],
  report: ["nouns"],
  commands: [
    "nouns",
    "catalog",
    "document",
    "http",
    "migrate",
    "portal",
    "report",
    "sandbox",
    "session",
  ],
  cli: ["nouns", "commands", "report", "package.json"],
  bin: ["nouns", "cli", "package.json"],
  index: ["nouns", "document"],
};
