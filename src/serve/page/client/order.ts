// The order of the rows of portals, for the server that draws them and for the browser that moves one.

export interface Placed {
  readonly rank: number;
  readonly name: string;
}

const names = new Intl.Collator("en", { numeric: true });

/** What needs somebody comes first, then names as people count. */
export function compareRows(one: Placed, other: Placed): number {
  return one.rank - other.rank || names.compare(one.name, other.name);
}
