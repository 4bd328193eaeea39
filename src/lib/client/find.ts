// Finds elements of the page by id and type.

/** For elements that the page certainly has. */
export function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = lookFor(id, kind);
  if (!found) throw new Error(`The page has no element "${id}".`);
  return found;
}

export function lookFor<T extends HTMLElement>(id: string, kind: new () => T): T | undefined {
  const found = document.getElementById(id);
  return found instanceof kind ? found : undefined;
}
