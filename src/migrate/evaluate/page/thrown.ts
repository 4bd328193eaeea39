// What a script threw and did not catch → a note with line and message.
import { here, note, page } from "./ask.js";

export function describeThrown(error: unknown): void {
  const read = (name: string): string => {
    try {
      let at = error as object | null;
      // A getter would be the script's, and a browser calls none.
      while (at && !Reflect.getOwnPropertyDescriptor(at, name)) at = Reflect.getPrototypeOf(at);
      const value: unknown = at && Reflect.getOwnPropertyDescriptor(at, name)?.value;
      return typeof value === "string" ? value : "";
    } catch {
      return "";
    }
  };
  if (isLimit(error)) note("limit", read("message"));
  const isObject = (typeof error === "object" && error !== null) || typeof error === "function";
  const text = isObject ? `${read("name")}: ${read("message")}` : `${typeof error}: ${safe(error)}`;
  note("thrown", text, isObject ? here(read("stack")) : here());
}

function safe(value: unknown): string {
  try {
    return String(value);
  } catch {
    return "";
  }
}

/** No browser throws that so early: this engine has less memory, and less of a stack. */
function isLimit(error: unknown): boolean {
  const makers = [page.realm, globalThis as unknown as Record<string, unknown>];
  return makers.some(
    ({ InternalError: made }) => typeof made === "function" && error instanceof made,
  );
}
