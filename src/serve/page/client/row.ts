// A row of the table of portals → what it can be chosen by; and names as people write them → a pattern.

export interface Row {
  readonly key: string;
  readonly element: HTMLTableRowElement;
  readonly rank: number;
  readonly name: string;
  readonly status: string;
  readonly pool: string;
  /** Read when somebody first looks for one. */
  words?: string;
}

/** `ranks`: the states in their order. */
export function rowOf(element: HTMLTableRowElement, ranks: readonly string[]): Row {
  const { key = "", status = "", pool = "" } = element.dataset;
  const name = element.querySelector("a")?.textContent ?? "";
  return { key, element, rank: ranks.indexOf(status), name, status, pool };
}

export function wordsOf(row: Row): string {
  const { dataset, textContent } = row.element;
  return (row.words ??= `${textContent} ${dataset["words"]}`.toLowerCase());
}

/** Part of a name, or all of it where stars stand for the rest, as in --only. */
export function patternOf(value: string): RegExp | undefined {
  const typed = value.trim();
  if (typed === "") return undefined;
  const source = typed.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  const isWhole = /[*?]/.test(typed);
  const pattern = source.replaceAll("*", ".*").replaceAll("?", ".");
  return new RegExp(isWhole ? `^${pattern}$` : pattern, "i");
}
