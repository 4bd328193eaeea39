// What the page of all portals is told while it is open, as JSON: a type alone, for the server and for the browser.

export type PortalsNews = {
  /** HTML: a row for each portal that is new or has changed, by its key. */
  readonly rows: readonly (readonly [key: string, row: string])[];
  /** Keys of portals that are gone. */
  readonly gone: readonly string[];
  readonly verdict: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly pools: readonly string[];
};
