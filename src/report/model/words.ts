// The words that Lintel uses in a sense of its own, and what each means.

/** In the order in which somebody meets them. */
export const WORDS = {
  target: "the version that a file is written for; it decides which settings there are",
  reference: "what the vendor documents of each setting: its type, its default, its versions",
  manage: "what a file sets is managed; everything else of a portal is left alone",
  plan: "what an apply would do, worked out without changing anything",
  stock: "a value that portals are shipped with, so that nobody need have chosen it",
  set: "to send a value that the portal does not show yet",
  adopt: "to note in the state what the portal shows already; nothing is sent for it",
  release: "to manage a setting no longer; the portal keeps it as it is",
  drift: "what somebody changed on the portal since the last apply, other than by Lintel",
  guard:
    "it stops an apply that may not be meant, until somebody opens it with --allow or in the file",
  state:
    "what is remembered of a portal: what was applied last, by whom, and what the portal showed then",
  serial: "the number of a state, which goes up with every write; an apply is named by it",
  lineage:
    "the name that a state keeps from its first write on; a state that is begun anew has another",
  journal:
    "what is about to be sent, written into the state first; open means that nobody knows whether it arrived",
  lock: "it lets one run at a time write the state of a portal",
  hold: "after a rollback, applies are held back until the file agrees with the portal or somebody lifts it",
} as const satisfies Record<string, string>;

export type Word = keyof typeof WORDS;
