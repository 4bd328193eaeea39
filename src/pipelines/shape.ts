// What Lintel reads of an answer: an example of each value ("", 0, false), which gives its type and checks it.

export type Shape =
  | string
  | number
  | boolean
  // What is inside is a shape, too; said here, the compiler would follow it without end.
  | Optional<unknown>
  | readonly unknown[]
  | { readonly [key: string]: unknown };

class Optional<S> {
  readonly shape: S;
  constructor(shape: S) {
    this.shape = shape;
  }
}

/** May be absent, or null. */
export function optional<const S extends Shape>(shape: S): Optional<S> {
  return new Optional(shape);
}

export type Shaped<S> = S extends string
  ? string
  : S extends number
    ? number
    : S extends boolean
      ? boolean
      : S extends Optional<infer Inner>
        ? Shaped<Inner> | null | undefined
        : S extends readonly (infer Entry)[]
          ? readonly Shaped<Entry>[]
          : { readonly [Key in keyof S]: Shaped<S[Key]> };

export function hasShape<const S extends Shape>(value: unknown, shape: S): value is Shaped<S> {
  return fits(value, shape);
}

/** Of a list, each entry is as the first of the shape. */
function fits(value: unknown, shape: Shape): boolean {
  if (shape instanceof Optional) return value == null || fits(value, shape.shape as Shape);
  if (Array.isArray(shape)) {
    const [entry = {}] = shape as readonly Shape[];
    return Array.isArray(value) && value.every((each) => fits(each, entry));
  }
  if (typeof shape !== "object") return typeof value === typeof shape;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(shape).every(([key, inner]) =>
    fits((value as Record<string, unknown>)[key], inner as Shape),
  );
}
