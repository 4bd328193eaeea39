// Every command by name: what help, completion and the front door read. A new command is one entry and one file.
import type { Deployment } from "../catalog/names.js";
import { GUARDS } from "../guard.js";
import { SIGN_IN_METHODS } from "../sign-in.js";
import type { Option, Spec } from "./command.js";
import type { PipelineKind } from "./pipeline.js";

const DEPLOYMENTS = ["enterprise", "hosted-online"] as const satisfies readonly Deployment[];

/** Options of every command that talks to a portal. */
const NETWORK: Readonly<Record<string, Option>> = {
  "ca-file": { value: "FILE", meaning: "A private authority to trust, in PEM; LINTEL_CA_FILE." },
  cert: { value: "FILE", meaning: "A client certificate in PEM; LINTEL_CERT." },
  key: { value: "FILE", meaning: "The key of the client certificate, in PEM; LINTEL_KEY." },
  timeout: { value: "SECONDS", meaning: "How long one call may take; 60 when left out." },
  "connect-timeout": {
    value: "SECONDS",
    meaning: "How long a connection may take; 10 when left out.",
  },
  verbose: { meaning: "Show every request on standard error, without its secrets." },
};

/** Options of every command that goes through several portals. */
const FLEET: Readonly<Record<string, Option>> = {
  concurrency: { value: "N", meaning: "How many portals at a time; 8 when left out." },
  ...NETWORK,
};

/** Options that a plan is made with. */
const PLANNING: Readonly<Record<string, Option>> = {
  allow: {
    value: "GUARD",
    values: GUARDS,
    isRepeatable: true,
    hasNoDefault: true,
    meaning: "Open a guard for this plan; may be given several times.",
  },
  send: {
    value: "WHAT",
    values: ["known", "touched"],
    meaning: "Send every parameter that is known, or only those with a change, each whole.",
  },
};

const LOCK_TIMEOUT: Option = {
  value: "SECONDS",
  meaning: "How long to wait for whoever holds the lock; 60 when left out.",
};

export const COMMANDS: readonly Spec[] = [
  {
    name: "init",
    summary: "Begin a desired-state file.",
    operands: "[FILE]",
    mostOperands: 1,
    options: {
      url: { value: "URL", meaning: "The root of the portal's REST interface." },
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
    load: () => import("./init.js"),
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
    name: "plan",
    summary: "Show what an apply would do; changes nothing.",
    operands: "[FILE…]",
    mostOperands: Infinity,
    options: {
      save: { value: "FILE", meaning: "Save the plan, so that apply carries out just that." },
      "detailed-exitcode": { meaning: "Exit with 2 where there are changes." },
      "no-state": { meaning: "Compare with the live portal alone." },
      offline: { meaning: "Compare with what was applied last alone; no network." },
      ...PLANNING,
      ...FLEET,
    },
    formats: ["text", "json", "markdown", "html"],
    examples: [
      ["lintel plan", "portal.yaml here, else every portals/*.yaml"],
      ["lintel plan --save plan.json", "then: lintel apply plan.json"],
      ["lintel plan --output markdown=plan.md", "for a comment on a pull request"],
      ["lintel plan --output html=plan.html", "a page for people to look at"],
      ["lintel plan --offline", "without a network or credentials"],
    ],
    completes: "files",
    load: () => import("./plan.js"),
  },
  {
    name: "show",
    summary: "Show a saved plan.",
    operands: "PLAN",
    mostOperands: 1,
    options: {},
    formats: ["text", "json", "markdown", "html"],
    examples: [
      ["lintel show plan.json", "as it was shown when it was made"],
      ["lintel show plan.json --output markdown", "for a comment on a pull request"],
    ],
    completes: "files",
    load: () => import("./show.js"),
  },
  {
    name: "apply",
    summary: "Make portals as their files want them, once somebody has said yes.",
    operands: "[FILE…] or PLAN",
    mostOperands: Infinity,
    options: {
      yes: { meaning: "Do not ask; whatever the files want is applied." },
      "lock-timeout": LOCK_TIMEOUT,
      ...PLANNING,
      ...FLEET,
    },
    formats: ["text", "json", "markdown", "html"],
    examples: [
      ["lintel apply", "shows the plan and asks"],
      ["lintel apply plan.json", "carries out a saved plan, or nothing"],
      ["lintel apply portals --yes", "in a pipeline, after a review"],
      ["lintel apply --allow disable-notice", "opens one guard"],
    ],
    completes: "files",
    load: () => import("./apply.js"),
  },
  {
    name: "status",
    summary: "Tell how portals stand: last apply, hold, lock, changes pending, next command.",
    operands: "[FILE…]",
    mostOperands: Infinity,
    options: {
      offline: { meaning: "Do not look at the portals." },
      ...FLEET,
    },
    formats: ["text", "json"],
    examples: [
      ["lintel status", "portal.yaml here, else every portals/*.yaml"],
      ["lintel status portals --offline", "from the states alone"],
    ],
    completes: "files",
    load: () => import("./status.js"),
  },
  {
    name: "drift",
    summary: "Show what somebody else changed since the last apply; changes nothing.",
    operands: "[FILE…]",
    mostOperands: Infinity,
    options: {
      all: { meaning: "Look at the settings that are not managed, too." },
      ...FLEET,
    },
    formats: ["text", "json", "html"],
    examples: [
      ["lintel drift", "exits with 2 where there is drift"],
      ["lintel drift portals --all", "unmanaged settings too"],
    ],
    completes: "files",
    load: () => import("./drift.js"),
  },
  {
    name: "pull",
    summary: "Change a file to say what its portal shows; the portal stays as it is.",
    operands: "[FILE]",
    mostOperands: 1,
    options: {
      into: { value: "FILE", meaning: "Write into this file instead." },
      only: {
        value: "PATH",
        isRepeatable: true,
        meaning: "Pull this setting, or all below it; may be given several times.",
      },
      all: { meaning: "Add what the file does not manage, apart from stock values." },
      ...NETWORK,
    },
    formats: ["text", "json"],
    examples: [
      ["lintel pull", "changes only the values that differ"],
      ["lintel pull --only informationalBanner", "the banner alone"],
      ["lintel pull --all --into pulled.yaml", "everything that was ever chosen"],
    ],
    completes: "files",
    load: () => import("./pull.js"),
  },
  {
    name: "rollback",
    summary: "Put a portal back as it was before the last apply, and hold it there.",
    operands: "[FILE]",
    mostOperands: 1,
    options: {
      to: { value: "SERIAL", meaning: "Back to what this apply left; 0 for before the first." },
      yes: { meaning: "Do not ask." },
      "lock-timeout": LOCK_TIMEOUT,
      ...PLANNING,
      ...NETWORK,
    },
    formats: ["text", "json", "html"],
    examples: [
      ["lintel rollback", "shows a plan and asks"],
      ["lintel state history", "shows the serials"],
      ["lintel rollback portals/staging.yaml --to 4", "several applies back"],
    ],
    completes: "files",
    load: () => import("./rollback.js"),
  },
  {
    name: "state",
    summary: "Look at what is remembered of a portal; or end a lock or a hold.",
    operands: "ACTION [FILE] [PATH…]",
    mostOperands: Infinity,
    options: {
      yes: { meaning: "Do not ask before a lock is ended." },
      "lock-timeout": LOCK_TIMEOUT,
    },
    formats: ["text", "json"],
    examples: [
      ["lintel state show", "serial, lock, hold, managed settings"],
      ["lintel state history", "every apply: when, by whom, what"],
      ["lintel state unlock", "ends the lock of a run that is dead"],
      ["lintel state unhold", "lifts the hold that a rollback left"],
      ["lintel state release portal.yaml informationalBanner", "manages it no longer"],
    ],
    completes: "files",
    load: () => import("./state.js"),
  },
  {
    name: "preview",
    summary: "Show a portal's home as visitors would meet it, live as the file is edited.",
    operands: "[FILE…]",
    mostOperands: Infinity,
    options: {
      port: { value: "PORT", meaning: "The port to listen on; 0, any free one, when left out." },
      open: { meaning: "Open the page in the browser." },
      export: { value: "FILE", meaning: "Write one HTML file that needs no server, and end." },
    },
    formats: ["text", "json"],
    examples: [
      ["lintel preview portal.yaml --open", "follows the file as it is edited"],
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
    load: () => import("./explain.js"),
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
    name: "whoami",
    summary: "Sign in, and tell who the credentials are and when the token ends.",
    operands: "[FILE]",
    mostOperands: 1,
    options: NETWORK,
    formats: ["text", "json"],
    examples: [
      ["lintel whoami", "with the signIn of portal.yaml"],
      ["lintel whoami portals/staging.yaml --verbose", "shows each request"],
    ],
    completes: "files",
    load: () => import("./whoami.js"),
  },
  {
    name: "doctor",
    summary: "Say step by step what works on the way to a portal, and what to do about the rest.",
    operands: "[FILE]",
    mostOperands: 1,
    options: NETWORK,
    formats: ["text", "json"],
    examples: [
      ["lintel doctor", "what works on the way to the portal"],
      ["lintel doctor portals/staging.yaml --ca-file our-ca.pem", "with a private authority"],
    ],
    completes: "files",
    load: () => import("./doctor.js"),
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
    load: () => import("./migrate.js"),
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
    load: () => import("./upgrade.js"),
  },
  {
    name: "sandbox",
    summary: "Run a working portal on this machine, for trying out, training and tests.",
    operands: "",
    mostOperands: 0,
    options: {
      port: { value: "PORT", meaning: "The port to listen on; 0, any free one, when left out." },
      host: { value: "ADDRESS", meaning: "The address to listen on; 127.0.0.1 when left out." },
      data: { value: "DIR", meaning: "Keep settings and accounts in this folder." },
      target: {
        value: "VERSION",
        meaning: "The portal's version; the newest known when left out.",
      },
      deployment: {
        value: "NAME",
        values: DEPLOYMENTS,
        meaning: "What the portal is.",
      },
      portals: { value: "N", meaning: 'Portals portal-1 … portal-N beside "self".' },
      "omitted-parameters": {
        value: "WHAT",
        values: ["keep", "reset"],
        meaning: "What an update does to parameters that it leaves out.",
      },
      "omitted-properties": {
        value: "WHAT",
        values: ["keep", "reset"],
        meaning: "The same for properties that an object leaves out.",
      },
      unknown: {
        value: "WHAT",
        values: ["store", "ignore", "refuse"],
        meaning: "What becomes of names that this version does not know.",
      },
      "no-read": { meaning: "The settings cannot be read." },
      latency: { value: "MS", meaning: "Milliseconds before each answer." },
      "fail-rate": {
        value: "SHARE",
        meaning: "The share of requests answered with an error page.",
      },
      "drop-rate": { value: "SHARE", meaning: "The share of requests whose connection is closed." },
      seed: { value: "N", meaning: "Chooses which requests fail or drop." },
    },
    formats: ["text", "json"],
    examples: [
      ["lintel sandbox", "a portal of the newest version, in memory"],
      ["lintel sandbox --target 11.0 --data ./portal-data", "keeps what is set"],
      ["lintel sandbox --output json", "the first line tells a program where it runs"],
    ],
    load: () => import("./sandbox.js"),
  },
  {
    name: "completion",
    summary: "Print a script that completes commands and options in a shell.",
    operands: "SHELL",
    mostOperands: 1,
    options: {},
    formats: ["text"],
    examples: [
      ["lintel completion bash > /etc/bash_completion.d/lintel", "for every user"],
      ["source <(lintel completion zsh)", "for this terminal; in zsh"],
      ["lintel completion fish > ~/.config/fish/completions/lintel.fish", "in fish"],
    ],
    completes: "shells",
    load: () => import("./completion.js"),
  },
  {
    name: "help",
    summary: "Show help on a command, or on: exit-status.",
    operands: "[TOPIC]",
    mostOperands: 1,
    options: {},
    formats: ["text"],
    examples: [
      ["lintel help validate", "the same as lintel validate --help"],
      ["lintel help exit-status", "what each exit status means"],
    ],
    completes: "commands",
    load: () => import("./help.js"),
  },
];

export function findCommand(name: string): Spec | undefined {
  return COMMANDS.find((each) => each.name === name);
}
