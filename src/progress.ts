// Core type: the progress of a run's portals, reported to a listener. Nothing that a run does depends on it.

/** What a portal is at, in the order of its story. */
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
  /** So many portals are gone through from here on; earlier reports are over. */
  begin(portals: number): void;
  /** The portal of a file is at something, under its name once that is known; what is returned puts it back to where it was. */
  at(file: string, step: Step, name?: string): () => void;
  /** It would be changed. */
  changes(file: string): void;
  end(file: string, how: "done" | "failed"): void;
}

/** Without a listener. */
export const UNWATCHED: Progress = { begin() {}, at: () => () => {}, changes() {}, end() {} };
