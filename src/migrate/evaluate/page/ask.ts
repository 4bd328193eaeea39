// A question to the world outside of the script, and the line that asks it → the answer that this world gives.

/** In a text of the outside, so that it is known wherever it comes to: no script has this by chance. */
export const MARK = /zq\d+x/;

export function markOf(nth: number): string {
  return `zq${nth}x`;
}

/** Handed in as JSON. */
export type Answer =
  /** Something that can be called, read and written, and of which nothing is known. */
  | { readonly is: "something" }
  /** The same, but with every setting in it. */
  | { readonly is: "settings" }
  | { readonly is: "undefined" }
  | { readonly is: "value"; readonly value: string | number | boolean | null };

export interface World {
  readonly answers: Readonly<Record<string, Answer>>;
  /** Names that the script uses and nothing defines. */
  readonly names: readonly string[];
  /** What the script declares with let, const or class, which no object holds. */
  readonly lexical: readonly string[];
  readonly settings: readonly string[];
  readonly usual: string;
  /** The name under which the instrumented script finds its counters. */
  readonly counters: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What the configuration is called, where places are looked for. */
  readonly probed?: string;
}

export interface Question {
  readonly file: string;
  readonly line: number;
  /** Something was turned into a text or a number, or its properties were listed. */
  isConverted?: true;
  isListed?: true;
}

export interface Note {
  readonly kind: "thrown" | "limit" | "written-script" | "hidden" | "foreign";
  readonly line: number;
  readonly text: string;
  readonly file: string;
}

/** The realm of the script, whose objects are not those of this one. */
export type Realm = Record<string, unknown> & { readonly Object: ObjectConstructor };

export const page = {
  realm: {} as Realm,
  world: {} as World,
  files: [] as readonly string[],
  asked: new Map<string, Question>(),
  notes: [] as Note[],
  hits: new Set<number>(),
};

/** Where the script is just now. */
export function here(stack = new Error("here").stack ?? ""): { file: string; line: number } {
  for (const [, file = "", line] of stack.matchAll(/\(?([^()\n]+):(\d+):\d+\)?$/gm)) {
    const own = page.files.find((each) => file.endsWith(each));
    if (own !== undefined) return { file: own, line: Number(line) };
  }
  return { file: page.files[0] ?? "", line: 1 };
}

export function ask(key: string): Answer | undefined {
  if (!page.asked.has(key)) page.asked.set(key, here());
  return page.world.answers[key];
}

export function askFor<T extends string | number | boolean>(key: string, plain: T): T {
  const answer = ask(key);
  return answer?.is === "value" ? (answer.value as T) : plain;
}

export function note(kind: Note["kind"], text: string, at = here()): void {
  if (page.notes.length < 100) page.notes.push({ kind, text: text.slice(0, 300), ...at });
}
