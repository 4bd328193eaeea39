// Core type: the progress of a run's portals, for a listener. A run never depends on it.

/** The steps of a portal, in order. */
export const STEPS = {
  read: "reading its file",
  state: "reading its state",
  "sign-in": "signing in",
  live: "looking at the portal",
  outcome: "waiting for an earlier update",
  lock: "locking the state",
  look: "reading the portal again",
  journal: "writing down what will be sent",
  send: "sending",
  prove: "reading back",
  settle: "writing the state",
} as const;

export type Step = keyof typeof STEPS;

export interface Progress {
  /** Starts a pass over this many portals; earlier progress ends. */
  begin(portals: number): void;
  /** A portal is at a step; its name may become known later. Returns a function that restores the earlier step. */
  at(file: string, step: Step, name?: string): () => void;
  /** The portal has pending changes. */
  changes(file: string): void;
  end(file: string, how: "done" | "failed"): void;
}

/** Without a listener. */
export const UNWATCHED: Progress = { begin() {}, at: () => () => {}, changes() {}, end() {} };
