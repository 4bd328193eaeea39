// Guard: the request replaces something that nobody has seen.
import { findParameter } from "../../catalog/catalog.js";
import { isJsonObject, pointInto } from "../../json.js";
import { formatPath } from "../../settings.js";
import type { Finding, GuardRule } from "./all.js";

export const unreadPortal: GuardRule = {
  stops: "a request that would replace what nobody has seen",
  severity: "high",
  help: "Look at the portal, and write all that it is to keep of the object into the file. What a request leaves out of an object is lost.",
  find({ inputs: { last, live }, request }) {
    if (!request) return [];
    const { parameters } = request;
    if (live.kind === "unread") {
      const sent = [...(last?.leaves ?? []), ...(last?.alsoSent ?? [])];
      const known = new Set(sent.map(({ path }) => path[0]));
      return parameters
        .filter((name) => mayHoldMore(name) && !known.has(name))
        .map(
          finding(
            (name) =>
              `Nobody has seen what else ${name} holds, and the request replaces all of it.`,
          ),
        );
    }
    const shown = (name: string) => pointInto(live.settings, [name]) ?? null;
    const strange = parameters.filter(
      (name) => isObject(name) && shown(name) !== null && !isJsonObject(shown(name)),
    );
    // The portal may show less than before, as when something answers in its place.
    const hidden = (last?.seen ?? []).filter(
      (name) => shown(name) === null && (mayHoldMore(name) || !parameters.includes(name)),
    );
    return [
      ...strange.map(
        finding(
          (name) =>
            `The portal shows ${name} as something that is no object, so that nobody knows what the request replaces.`,
        ),
      ),
      ...hidden.map(
        finding(
          (name) =>
            `The portal showed ${name} after the last apply and shows nothing of it now, so the request cannot carry all that it holds.`,
        ),
      ),
    ];
  },
};

function finding(sentence: (quoted: string) => string): (name: string) => Finding {
  return (name) => ({ path: [name], message: sentence(`"${formatPath([name])}"`) });
}

function isObject(name: string): boolean {
  return findParameter(name)?.object !== undefined;
}

/** A parameter that is no object holds nothing else that could be lost; of one that is not listed nobody knows. */
function mayHoldMore(name: string): boolean {
  return isObject(name) || !findParameter(name);
}
