// Where the engine that evaluates old files is no browser → the hazards that show it, with the reason; no file that anybody uses does such things.

export const UNLIKE_ENGINE: Readonly<Record<string, string>> = {
  "depth-of-calls": "each engine has a stack of its own size",
  "error-text-as-value": "each engine has its own words for errors",
};
