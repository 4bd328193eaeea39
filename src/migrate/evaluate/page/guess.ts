// What a script holds a text of the outside against → another answer, which it seems to wait for.
import { MARK, type Answer, type Primitive } from "../seam.js";
import { ask, askFor, isOwn, page, pathOf } from "./outside.js";

export const guesses = new Map<string, [key: string, value: Primitive]>();
const MOST = 60;
/** What is longer is compared with nothing that people write. */
const LONGEST = 200;
const MOST_KEYS = 20;

function add(key: string, value: Primitive): void {
  if (guesses.size < MOST && String(value).length < LONGEST)
    guesses.set(JSON.stringify([key, value]), [key, value]);
}

let numbers: Set<unknown> | undefined;

/** An answer may hold what is compared as a whole, or as a piece. */
export function guess(operand: unknown, literal: unknown): void {
  const path = pathOf(operand);
  if (path !== undefined) ask(path, "isUsed");
  if (literal !== null && !/^(?:string|number|boolean)$/.test(typeof literal)) return;
  const given = literal as Primitive;
  const mark = typeof operand === "string" ? MARK.exec(operand)?.[0] : undefined;
  if (path !== undefined) return add(path, given);
  if (mark?.[2] === "[") return add(mark.slice(3, -1), given);
  numbers ??= new Set(
    Object.values(page.given.answers).map((each) => "value" in each && each.value),
  );
  if (mark === undefined && (typeof operand !== "number" || !numbers.has(operand))) return;
  for (const [key, answer] of Object.entries(page.given.answers)) {
    const value = answer.is === "value" ? answer.value : undefined;
    if (typeof given === "number" && value === operand && page.asked.has(key))
      for (const near of [given - 1, given, given + 1]) add(key, near);
    if (typeof value !== "string" || typeof operand !== "string" || mark === undefined) continue;
    const piece = [operand, operand.toLowerCase(), mark].find((each) => value.includes(each));
    if (piece)
      add(
        key,
        value.replace(piece, () => String(given)),
      );
  }
}

/** A key out of the outside may be any of those that are there. */
export function guessKeys(key: unknown, holder: unknown): void {
  if (typeof key !== "string" || !MARK.test(key) || !isOwn(holder)) return;
  for (const each of Object.keys(holder).slice(0, MOST_KEYS)) guess(key, each);
}

/** The question whose answer a text comes from. */
export function questionOf(text: unknown): string | undefined {
  const mark = typeof text === "string" ? MARK.exec(text)?.[0].toLowerCase() : undefined;
  if (mark === undefined) return pathOf(text);
  const holds = (answer: Answer) => "value" in answer && String(answer.value).includes(mark);
  return mark[2] === "["
    ? mark.slice(3, -1)
    : Object.entries(page.given.answers).find(([, answer]) => holds(answer))?.[0];
}

const known = new WeakSet<object>();

/** Whether a pattern fits a text of the outside is a question of its own; each is made to fit once. */
export function matched(pattern: unknown, text: unknown): object | null {
  const key = questionOf(text);
  if (key === undefined || !(pattern instanceof page.realm.RegExp) || known.has(pattern))
    return null;
  known.add(pattern);
  const answer = askFor<string | boolean>(`${key}~${pattern.source}`.slice(0, LONGEST), false);
  if (answer === false) return null;
  const groups = new RegExp(`${pattern.source}|`, pattern.flags).exec("") ?? [];
  const group = typeof answer === "string" ? answer : MARK.exec(String(text))?.[0];
  const found = page.realm.Array.from(groups, (_, nth) => (nth === 0 ? String(text) : group));
  return Object.assign(found, { index: 0, input: String(text) });
}
