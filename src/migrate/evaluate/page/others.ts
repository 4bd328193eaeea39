// What others can come to → the functions among it that nobody called, each called, and what that changes looked at.
import { textOf } from "./language.js";
import { guarded } from "./later.js";
import { isOwn, page, standIn } from "./outside.js";

/** While it is only asked which function it is. */
let isDry = false;
let entered: number | undefined;

/** Every function comes to its first statement. */
export function assertNotDry(id: number): void {
  if (!isDry) return;
  entered = id;
  throw new Error("dry");
}

const MOST_OTHERS = 2_000;

/** Functions that others can come to, and nobody called: each is called, and what that changes is looked at. */
export function callEach(left: unknown[], config: unknown, look: (called: number) => void): void {
  const called = new Set(page.given.called);
  const seen = new Set<unknown>();
  for (const each of called.size > 0 ? left : []) {
    if (!isOwn(each) || seen.has(each)) continue;
    if (seen.add(each).size > MOST_OTHERS) break;
    const own = Object.values(Object.getOwnPropertyDescriptors(each)).slice(0, MOST_OTHERS);
    // What the configuration computes anew is known as such.
    const held = own.flatMap((one): unknown[] =>
      each === config ? [one.value] : Object.values(one),
    );
    left.push(Reflect.getPrototypeOf(each), ...held);
    if (typeof each !== "function" || !textOf(each).includes(page.given.hooks)) continue;
    entered = undefined;
    isDry = true;
    try {
      call(each);
    } catch {
      // Which function it is is known now.
    }
    isDry = false;
    const id = entered;
    if (id === undefined || !called.delete(id)) continue;
    guarded(() => call(each));
    look(id);
  }
}

/** A generator does nothing before it is asked. */
function call(each: object): void {
  const { length } = each as () => void;
  const given = Array.from({ length }, () => standIn("given"));
  const result: unknown = textOf(each).startsWith("class")
    ? Reflect.construct(each as () => unknown, given)
    : Reflect.apply(each as () => unknown, page.realm, given);
  const next: unknown = isOwn(result) ? Reflect.get(result, "next") : undefined;
  if (typeof next === "function") Reflect.apply(next, result, []);
}
