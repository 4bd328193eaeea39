// The commands about desired-state files alone.
import { SIGN_IN_METHODS } from "../sign-in.js";
import type { Spec } from "./command.js";
import { DEPLOYMENTS, NETWORK } from "./options.js";
import type { PipelineKind } from "../pipelines/pipeline.js";

export const FILES: readonly Spec[] = [
  {
    name: "init",
    summary: "Begin a desired-state file.",
    operands: "[FILE]",
    mostOperands: 1,
    options: {
      url: { value: "URL", meaning: "The portal's address, or the root of its REST interface." },
      target: {
        value: "VERSION",
        meaning: "The portal's version; the newest known when left out.",
      },
      deployment: { value: "NAME", values: DEPLOYMENTS, meaning: "What the portal is." },
      method: {
        value: "NAME",
        values: Object.keys(SIGN_IN_METHODS),
        meaning: "How to sign in.",
      },
      "sign-in-url": { value: "URL", meaning: "The base address of the sign-in service." },
      name: { value: "NAME", meaning: "A name for people." },
      ci: {
        value: "SYSTEM",
        values: ["github", "gitlab"] satisfies PipelineKind[],
        hasNoDefault: true,
        meaning: "Write the pipeline, too, that plans on a proposal and applies after the merge.",
      },
    },
    formats: ["text", "json"],
    examples: [
      ["lintel init", "asks, and writes portal.yaml"],
      [
        "lintel init portals/staging.yaml --url https://gis.example.com/portal/sharing/rest",
        "asks nothing in a pipeline",
      ],
      ["lintel init --ci github", "writes the workflow, too"],
    ],
    isOnlyAboutProblems: true,
    completes: "files",
    load: () => import("./init/init.js"),
  },
  {
    name: "validate",
    summary: "Check desired-state files; needs no network and no secret.",
    operands: "[FILE…]",
    mostOperands: Infinity,
    options: {},
    formats: ["text", "json", "html", "sarif", "junit", "github", "gitlab"],
    examples: [
      ["lintel validate", "portal.yaml here, else every portals/*.yaml"],
      ["lintel validate portals 'customers/**/*.yaml'", "folders and patterns"],
      ["lintel validate - < portal.yaml", "standard input"],
      ["lintel validate --output text --output sarif=lintel.sarif", "two reports at once"],
    ],
    isOnlyAboutProblems: true,
    completes: "files",
    load: () => import("./validate.js"),
  },
  {
    name: "preview",
    summary: "Show a portal's home as visitors would meet it, live as the file is edited.",
    operands: "[FILE…]",
    mostOperands: Infinity,
    options: {
      port: { value: "PORT", meaning: "The port to listen on; 0, any free one, when left out." },
      open: { meaning: "Open the page in the browser." },
      live: { meaning: "Show beside it the portal's home as it is now, read without signing in." },
      export: { value: "FILE", meaning: "Write one HTML file that needs no server, and end." },
      ...NETWORK,
    },
    formats: ["text", "json"],
    examples: [
      ["lintel preview portal.yaml --open", "follows the file as it is edited"],
      ["lintel preview portal.yaml --live", "and the portal's home as it is, beside it"],
      ["lintel preview portals", "a choice among several files"],
      ["lintel preview --export preview.html", "for a merge request or a mail"],
      ["lintel preview --output json", "the first line tells a program where it runs"],
    ],
    completes: "files",
    load: () => import("./preview.js"),
  },
  {
    name: "explain",
    summary: "What the reference says of a setting.",
    operands: "[PATH]",
    mostOperands: 1,
    options: {
      file: {
        value: "FILE",
        meaning:
          "Tell also which file and line gives the setting its value, and what that overrode.",
      },
    },
    formats: ["text", "json"],
    examples: [
      ["lintel explain", "lists every setting"],
      ["lintel explain tokenExpiration", "type, default, versions, meaning"],
      ["lintel explain informationalBanner", "an object and its properties"],
      ["lintel explain text --file portals/staging.yaml", "and which line sets it"],
    ],
    completes: "settings",
    load: () => import("./explain/explain.js"),
  },
  {
    name: "schema",
    summary: "Print the JSON Schema of a desired-state file, for editors.",
    operands: "[VERSION]",
    mostOperands: 1,
    options: {
      draft: {
        value: "DRAFT",
        values: ["2020-12", "07"],
        meaning: "The draft of JSON Schema.",
      },
      settings: { meaning: "The settings of VERSION alone." },
    },
    formats: ["text"],
    examples: [
      ["lintel schema 11.5 > desired-state-11.5.schema.json", "for files of one target"],
      ["lintel schema", "chooses by targetVersion"],
    ],
    completes: "versions",
    load: () => import("./schema.js"),
  },
  {
    name: "migrate",
    summary: "Take over what an old portal's config.js had set; the file is read, never run.",
    operands: "FILE…",
    mostOperands: Infinity,
    options: {
      target: {
        value: "VERSION",
        meaning: "The portal's version now; that of the file with --into.",
      },
      "portal-url": {
        value: "URL",
        meaning: "The portal's address, for values that depend on it.",
      },
      all: { meaning: "Take over values that portals were shipped with, too." },
      names: {
        value: "WHICH",
        values: ["file", "reference"],
        meaning: "How to spell properties that have two spellings.",
      },
      out: { value: "FILE", meaning: "Write a new desired-state file, and its schema beside it." },
      into: { value: "FILE", meaning: "Add to a desired-state file that is there." },
      backup: { value: "DIR", meaning: "Keep a copy of the original in this folder." },
      ...NETWORK,
    },
    formats: ["text", "json", "html", "sarif", "junit", "github", "gitlab"],
    examples: [
      ["lintel migrate config.js --target 11.0 --out portal.yaml", "a new file to review"],
      ["lintel migrate config.js --into portal.yaml --backup old", "adds to one that is there"],
      [
        "lintel migrate https://gis.example.com/portal --target 11.0",
        "reads it from the portal, and prints the YAML",
      ],
      ["lintel migrate config.js overrides.js --target 11.0", "the second changes the first"],
    ],
    completes: "files",
    load: () => import("./migrate/migrate.js"),
  },
  {
    name: "upgrade",
    summary: "What a newer target version changes for a file, and change the file's target.",
    operands: "[FILE]",
    mostOperands: 1,
    options: {
      to: { value: "VERSION", meaning: "The new target." },
      write: { meaning: "Change targetVersion and the schema's line; not a byte else." },
    },
    formats: ["text", "json"],
    examples: [
      ["lintel upgrade portal.yaml --to 12.1", "what the file meets at that version"],
      ["lintel upgrade portal.yaml --to 12.1 --write", "and changes the file"],
    ],
    completes: "files",
    load: () => import("./upgrade/upgrade.js"),
  },
];
