// Every command by name, in the order of the help; all else stands in the file of each.
import type { Listed } from "./command.js";

export const COMMANDS: readonly Listed[] = [
  {
    name: "init",
    summary: "Begin a desired-state file.",
    load: () => import("./init/init.js"),
  },
  {
    name: "validate",
    summary: "Check desired-state files; needs no network and no secret.",
    load: () => import("./validate.js"),
  },
  {
    name: "preview",
    summary: "Show a portal's home as visitors would meet it, live as the file is edited.",
    load: () => import("./preview.js"),
  },
  {
    name: "explain",
    summary: "What the reference says of a setting.",
    load: () => import("./explain/explain.js"),
  },
  {
    name: "schema",
    summary: "Print the JSON Schema of a desired-state file, for editors.",
    load: () => import("./schema.js"),
  },
  {
    name: "migrate",
    summary: "Take over what an old portal's config.js had set; the file is read, never run.",
    load: () => import("./migrate/migrate.js"),
  },
  {
    name: "upgrade",
    summary: "What a newer target version changes for a file, and change the file's target.",
    load: () => import("./upgrade/upgrade.js"),
  },
  {
    name: "plan",
    summary: "Show what an apply would do; changes nothing.",
    load: () => import("./plan.js"),
  },
  {
    name: "show",
    summary: "Show a saved plan.",
    load: () => import("./show.js"),
  },
  {
    name: "apply",
    summary: "Make portals as their files want them, once somebody has said yes.",
    load: () => import("./apply.js"),
  },
  {
    name: "status",
    summary: "Tell how portals stand: last apply, hold, lock, changes pending, next command.",
    load: () => import("./status.js"),
  },
  {
    name: "drift",
    summary: "Show what somebody else changed since the last apply; changes nothing.",
    load: () => import("./drift.js"),
  },
  {
    name: "pull",
    summary: "Change a file to say what its portal shows; the portal stays as it is.",
    load: () => import("./pull/pull.js"),
  },
  {
    name: "rollback",
    summary: "Put a portal back as it was before the last apply, and hold it there.",
    load: () => import("./rollback.js"),
  },
  {
    name: "state",
    summary: "Look at what is remembered of a portal; or end a lock or a hold.",
    load: () => import("./state/state.js"),
  },
  {
    name: "whoami",
    summary: "Sign in, and tell who the credentials are and when the token ends.",
    load: () => import("./whoami.js"),
  },
  {
    name: "doctor",
    summary: "Say step by step what works on the way to a portal, and what to do about the rest.",
    load: () => import("./doctor/doctor.js"),
  },
  {
    name: "sandbox",
    summary: "Run a working portal on this machine, for trying out, training and tests.",
    load: () => import("./sandbox.js"),
  },
];
