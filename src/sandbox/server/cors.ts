// What lets a page of any other host call the portal from a browser, as real portals do: with a token, never with the cookie.
import type { Reply } from "./reply.js";

// Without credentials: the cookie of a person who is signed in here must not serve a page from elsewhere.
const ANYBODY = { "access-control-allow-origin": "*" };

/** The answer to the question that a browser asks before the request itself. */
export function answerPreflight(): Reply {
  return {
    status: 204,
    headers: {
      ...ANYBODY,
      "access-control-allow-methods": "GET, POST, OPTIONS",
      // A star would not cover the first of them.
      "access-control-allow-headers":
        "authorization, x-esri-authorization, content-type, x-requested-with",
      "access-control-max-age": "600",
    },
    body: "",
  };
}

export function openToPages(answer: Reply): Reply {
  return { ...answer, headers: { ...answer.headers, ...ANYBODY } };
}
