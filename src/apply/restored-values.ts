// Checks the values that a rollback would send from an unsigned state, and refuses the first one that the catalogue does not accept.
import { catalog, findSetting } from "../catalog/catalog.js";
import { referencePath } from "../catalog/spelling.js";
import { settings as settingsSchema } from "../catalog/settings-schema.js";
import { strict } from "../catalog/strict-schema.js";
import type { Check } from "../document/check/compile.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { nearestNumber, pointInto, type Json } from "../lib/json.js";
import { meant } from "../plan/guard.js";
import { formatPath, isSent, withLeaf, type Path } from "../settings.js";
import type { State } from "../state/state.js";
import { trustIn } from "../state/signature.js";
import { shellWord } from "../lib/text.js";
import type { PlannedPortal } from "./plan-portal.js";

interface Leaf {
  readonly path: Path;
  readonly value: Json;
}

/** Anyone who can write to the place of a state can put any value into an unsigned history. */
export async function assertValuesFit(
  state: State,
  planned: Pick<PlannedPortal, "plan" | "live" | "desired" | "store">,
  io: Pick<Io, "env">,
): Promise<void> {
  if (trustIn(state, io) === "verified") return;
  const { desired, store } = planned;
  const check = await openCheck();
  for (const leaf of sentFromState(planned)) {
    if (leaf.path.some((part) => desired.allowUnknown.includes(String(part)))) continue;
    const wrong = faultIn(leaf, check);
    if (!wrong) continue;
    throw new Failure(
      "state-not-trusted",
      `The state "${store.place}" is not signed, and its value of "${formatPath(wrong.path)}" cannot be sent: it ${wrong.message}.`,
      `Nothing was sent. Check the history:\n  lintel history ${shellWord(desired.file)}\nRoll back other settings with --path. If the history is right, sign it, so that its values can be sent:\n  lintel state sign ${shellWord(desired.file)}`,
    );
  }
}

/** Without a read of the portal, all managed values come from the state. */
function sentFromState({ plan, live }: Pick<PlannedPortal, "plan" | "live">): readonly Leaf[] {
  if (live.kind === "unread") return [...plan.leaves, ...plan.alsoSent];
  return plan.changes.filter(isSent).map(({ path, after }) => ({ path, value: after }));
}

interface Wrong {
  readonly path: Path;
  /** Continues after the name of the setting. */
  readonly message: string;
}

function faultIn({ path, value }: Leaf, check: Check): Wrong | undefined {
  if (!findSetting(path)) return { path, message: "is no setting of the reference" };
  // Some portals show other types as texts.
  const [first] = faultsOf(path, value, check);
  if (!first || faultsOf(path, meant(value), check).length === 0) return undefined;
  return first;
}

function faultsOf(path: Path, shown: Json, check: Check): readonly Wrong[] {
  // The validator only knows JavaScript numbers.
  const number = nearestNumber(shown);
  const value = number === undefined ? shown : Math.min(number, Number.MAX_VALUE);
  const whole = withLeaf({}, { path: referencePath(path), value });
  return check(whole).filter(
    (fault) => fault.keyword !== "pattern" || isOfAnotherKind(pointInto(whole, fault.path)),
  );
}

/** A file must contain absolute addresses; a portal can also show empty and relative ones. */
function isOfAnotherKind(address: Json | undefined): boolean {
  if (typeof address !== "string" || !URL.canParse(address)) return false;
  return !["http:", "https:", "mailto:"].includes(new URL(address).protocol);
}

/** Compiled for the first rollback that needs it. */
let compiled: Check | undefined;

async function openCheck(): Promise<Check> {
  const { openCompiler } = await import("../document/check/compile.js");
  return (compiled ??= openCompiler()(strict(settingsSchema(catalog))));
}
