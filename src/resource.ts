// Noun: what Lintel reads of a portal, each by its path below the portal's root, and the pass to read it by POST.

/** The reference shows the update alone; real portals show the settings one step above it. */
export const RESOURCES = ["", "/portals/self", "/portals/<portal_id>/settings"] as const;

export type Resource = (typeof RESOURCES)[number];

/** Says that a POST to this resource, exactly below this root, only reads. */
export interface ReadPass {
  readonly root: string;
  readonly resource: Resource;
}

const passes = new WeakSet<ReadPass>();

export function readPass(root: string, resource: Resource): ReadPass {
  if (!RESOURCES.includes(resource)) throw new TypeError(`"${resource}" is not read`);
  const pass = Object.freeze({ root, resource });
  passes.add(pass);
  return pass;
}

/** Judged to the letter, because a server may read an address that only looks alike as another one. */
export function isOpenedBy(pass: ReadPass, address: URL): boolean {
  if (!passes.has(pass) || !URL.canParse(pass.root)) return false;
  const root = new URL(pass.root);
  if (address.origin !== root.origin || /[?#]/.test(root.href + address.href)) return false;
  const [before, after] = (root.pathname.replace(/\/+$/, "") + pass.resource).split("<portal_id>");
  if (after === undefined) return address.pathname === (before || "/");
  const path = address.pathname;
  const id = path.slice(before?.length, -after.length);
  return path === `${before}${id}${after}` && isOneStep(id);
}

/** Nothing that a server could take for more of the path, or for its end. */
function isOneStep(id: string): boolean {
  try {
    return /^(?!\.{1,2}$)[^/\\;?#%]+$/.test(decodeURIComponent(id));
  } catch {
    return false;
  }
}
