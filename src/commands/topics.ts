// What lintel help explains beside the commands, by name, and what that is: help, its summary and completion read it.
export const TOPICS = {
  "exit-status": "Exit status",
  words: "What words mean",
} as const satisfies Record<string, string>;

export type Topic = keyof typeof TOPICS;

export const TOPIC_NAMES = Object.keys(TOPICS) as Topic[];
