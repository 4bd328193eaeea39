// Every command by name, in the order of the help; all else stands in the file of each.
import type { Command, Listed } from "./command.js";

const SUMMARIES = {
  init: "Begin a desired-state file.",
  validate: "Check desired-state files; needs no network and no secret.",
  preview: "Show a portal's home as visitors would meet it, live as the file is edited.",
  explain: "What the reference says of a setting; also what a guard stops, or a rule finds.",
  schema: "Print the JSON Schema of a desired-state file, for editors.",
  migrate: "Take over what an old portal's config.js had set; it is evaluated in a sealed engine.",
  upgrade: "What a newer target version changes for a file, and change the file's target.",
  plan: "Show what an apply would do; changes nothing.",
  show: "Show a saved plan.",
  apply: "Make portals as their files want them, once somebody has said yes.",
  serve: "Look at portals again and again, tell what happens, and carry out what it may.",
  worker: "Do the work that serve puts into a queue, on as many machines as wanted.",
  queue: "Tell how the queue of many machines stands, and try, drain or go on with it.",
  schedule: "List the windows of files that are open or still to come; needs no network.",
  status: "Tell how portals stand: last apply, hold, lock, changes pending, next command.",
  drift: "Show what somebody else changed since the last apply; changes nothing.",
  pull: "Change files to say what their portals show; the portals stay as they are.",
  rollback: "Put portals back as they were before their last apply, and hold them there.",
  state:
    "Look at what is remembered of portals, move it elsewhere, hold portals, or end a lock or a hold.",
  policy: "Try an organisation's own rules against the examples that they carry.",
  whoami: "Sign in, and tell whose the credentials are and when the token ends.",
  doctor: "Say step by step what works on the way to portals, and what to do about the rest.",
  sandbox: "Run a working portal on this machine, for trying out, training and tests.",
};

/** Called when a command is called, completed or its help is asked for, so that no command pays for another. */
const LOADERS: Readonly<Record<keyof typeof SUMMARIES, () => Promise<Command>>> = {
  init: () => import("./init/init.js"),
  validate: () => import("./validate.js"),
  preview: () => import("./preview.js"),
  explain: () => import("./explain/explain.js"),
  schema: () => import("./schema.js"),
  migrate: () => import("./migrate/migrate.js"),
  upgrade: () => import("./upgrade/upgrade.js"),
  plan: () => import("./plan.js"),
  show: () => import("./show.js"),
  apply: () => import("./apply.js"),
  serve: () => import("./serve/serve.js"),
  worker: () => import("./worker.js"),
  queue: () => import("./queue/queue.js"),
  schedule: () => import("./schedule.js"),
  status: () => import("./status.js"),
  drift: () => import("./drift.js"),
  pull: () => import("./pull/pull.js"),
  rollback: () => import("./rollback/rollback.js"),
  state: () => import("./state/state.js"),
  policy: () => import("./policy.js"),
  whoami: () => import("./whoami.js"),
  doctor: () => import("./doctor/doctor.js"),
  sandbox: () => import("./sandbox.js"),
};

export const COMMANDS: readonly Listed[] = Object.entries(SUMMARIES).map(([name, summary]) => ({
  name,
  summary,
  load: LOADERS[name as keyof typeof SUMMARIES],
}));
