// What waits until the script is over, and what a script throws → their turn, and a note.
import { here, isObject, note, page } from "./outside.js";

export type Phase = "loaded" | "afterwards";

const waiting: { id: number; phase: Phase; after: number; run: () => void }[] = [];
let made = 0;

/** More than any page needs, and fewer than a timer that sets itself again would like. */
const MOST = 300;

export function later(phase: Phase, run: () => void, after = 0): number {
  if (++made <= MOST) waiting.push({ id: made, phase, after, run });
  return made;
}

export function forget(id: unknown): void {
  const at = waiting.findIndex((each) => each.id === id);
  if (at >= 0) waiting.splice(at, 1);
}

/** Runs the next one; false where nothing waits in this phase any more. */
export function goOn(phase: Phase): boolean {
  const ready = waiting.filter((each) => each.phase === phase);
  const [next] = ready.toSorted((one, other) => one.after - other.after || one.id - other.id);
  forget(next?.id);
  if (next) guarded(next.run);
  return next !== undefined;
}

/** What a function throws goes to the browser's console and stops nothing else. */
export function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    failed(error);
  }
}

/** A getter would be the script's, and a browser calls none. */
export function failed(error: unknown): void {
  const read = (name: string): string => {
    try {
      let at = error as object | null;
      while (at && !Reflect.getOwnPropertyDescriptor(at, name)) at = Reflect.getPrototypeOf(at);
      const value: unknown = at && Reflect.getOwnPropertyDescriptor(at, name)?.value;
      return typeof value === "string" ? value : "";
    } catch {
      return "";
    }
  };
  if (!isObject(error)) return note("thrown", `${typeof error}: ${String(error)}`);
  // No browser throws that so early: this engine has less memory, and less of a stack.
  for (const { InternalError: made } of [page.realm, globalThis as unknown as typeof page.realm])
    if (typeof made === "function" && error instanceof made) note("limit", read("message"));
  note("thrown", `${read("name")}: ${read("message")}`, here(read("stack")));
}
