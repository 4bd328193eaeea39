// What a browser itself has under a name → what that means for a script that reads or sets it.
import { WINDOW_NAMES } from "./chain.js";

/** Properties of the window that keep, convert or ignore what is assigned to them. */
export function isBrowsersOwn(name: string): boolean {
  return OWN.has(name) || WINDOW_NAMES.has(name) || name.startsWith("on");
}

const OWN: ReadonlySet<string> = new Set(
  "undefined NaN Infinity top parent opener frameElement location document navigator history screen event name status closed length origin external localStorage sessionStorage indexedDB crypto performance console caches cookieStore customElements locationbar menubar personalbar scrollbars statusbar toolbar visualViewport innerWidth innerHeight outerWidth outerHeight screenX screenY screenLeft screenTop scrollX scrollY pageXOffset pageYOffset devicePixelRatio isSecureContext crossOriginIsolated originAgentCluster clientInformation defaultStatus defaultstatus styleMedia speechSynthesis trustedTypes navigation scheduler launchQueue".split(
    " ",
  ),
);

/** Other windows, or this one again. */
export const OTHER_WINDOWS: ReadonlySet<string> = new Set(
  "top parent opener defaultView contentWindow view".split(" "),
);

/** They set, or list, what they are not told the name of. */
export const BY_NAME: ReadonlySet<string> = new Set(
  "assign values entries defineProperty defineProperties getOwnPropertyDescriptors set get apply mixin extend merge __defineGetter__ __defineSetter__".split(
    " ",
  ),
);

/** Elements whose text is code, and ways to put such text somewhere. */
export const TAKES_TEXT: ReadonlySet<string> = new Set(
  "text textContent innerText innerHTML outerHTML srcdoc".split(" "),
);
