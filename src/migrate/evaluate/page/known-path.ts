// A value → the path into the world outside that it stands in for, if it does.

export const madeOf = new WeakMap<object, string>();

export function pathOf(value: unknown): string | undefined {
  return isObject(value) ? madeOf.get(value) : undefined;
}

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
