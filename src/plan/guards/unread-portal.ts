// Guard: the request would replace settings that no administrator has read.
import { findParameter } from "../../catalog/catalog.js";
import { isJsonObject, pointInto } from "../../lib/json.js";
import { formatPath } from "../../settings.js";
import type { Finding, GuardRule } from "./all.js";

const UNSEEN = "Lintel could not read what else % holds, and an update replaces all of it.";
const STRANGE =
  "The portal does not show % as an object, so Lintel cannot know what the update replaces.";
const HIDDEN =
  "The portal showed % after the last apply, and does not show it now. So the update cannot keep its values.";
const UNPROVEN =
  "The portal may hide settings from this account, and an update would remove them. Sign in with an administrator account.";

export const unreadPortal: GuardRule = {
  stops: "an update while Lintel cannot see all settings",
  help: "Sign in with an administrator account, and check it with `lintel doctor`. If the portal cannot be read, write every value of the object that must stay into the file: an update removes the others.",
  find({ inputs: { last, live }, request }) {
    if (!request) return [];
    const { parameters } = request;
    if (live.kind === "unread") {
      const sent = [...(last?.leaves ?? []), ...(last?.alsoSent ?? [])];
      const known = new Set(sent.map(({ path }) => path[0]));
      return findingsFor(UNSEEN, parameters, (name) => mayHoldMore(name) && !known.has(name));
    }
    const unproven = live.unproven && `${live.unproven} ${UNPROVEN}`;
    const shown = (name: string) => pointInto(live.settings, [name]) ?? null;
    const isStrange = (name: string) => shown(name) !== null && !isJsonObject(shown(name));
    // A portal that shows less than before may be another server that answers in its place.
    const isHidden = (name: string) =>
      shown(name) === null && (mayHoldMore(name) || !parameters.includes(name));
    return [
      ...(unproven ? [{ path: null, message: unproven }] : []),
      ...findingsFor(STRANGE, parameters, (name) => isObject(name) && isStrange(name)),
      ...findingsFor(HIDDEN, last?.seen ?? [], isHidden),
    ];
  },
};

function findingsFor(
  sentence: string,
  names: readonly string[],
  isMeant: (name: string) => boolean,
) {
  return names.filter(isMeant).map((name): Finding => ({
    path: [name],
    message: sentence.replace("%", () => `"${formatPath([name])}"`),
  }));
}

function isObject(name: string): boolean {
  return findParameter(name)?.object !== undefined;
}

/** A scalar parameter holds nothing else that could be lost. A parameter that the reference does not list may. */
function mayHoldMore(name: string): boolean {
  return isObject(name) || !findParameter(name);
}
