// Starts a sandbox: both interfaces and the home page on one server, with what a test needs to look inside.
import { randomUUID } from "node:crypto";
import type { JsonObject } from "../lib/json.js";
import { findPortal, portalBase, portalIds, BROWSER_SIGN_IN, SIGN_IN_BASE } from "./context.js";
import type { SandboxContext } from "./context.js";
import { createRandom, type Fault, type Received } from "./faults.js";
import {
  ADMINISTRATOR,
  openMemory,
  SERVICE_ACCOUNT,
  type Account,
  type Remembered,
} from "./memory.js";
import { readSwitches, type SandboxOptions } from "./options.js";
import { serve } from "./sandbox-server.js";
import { createTokens } from "./sign-in/token.js";

export interface Sandbox extends Pick<
  Remembered,
  "beid" | "webServicesKey" | "clientId" | "clientSecret"
> {
  readonly url: string;
  /** The root of the portal's interface. */
  readonly portalUrl: string;
  /** The base address of the sign-in service. */
  readonly signInUrl: string;
  /** Where a person signs in with a browser. */
  readonly browserUrl: string;
  readonly username: string;
  readonly password: string;
  /** The ids of its portals, "self" first. */
  readonly portals: readonly string[];
  /** The last thousand requests, the oldest first. */
  readonly requests: readonly Received[];
  /** What the next requests meet, in order; each is used once, unless it lasts. */
  readonly faults: Fault[];
  /** Everything that is stored for a portal, as an administrator sees it without the stock settings. */
  settings(portal?: string): JsonObject;
  /** Replaces everything that is stored for a portal, as if someone had changed it elsewhere. */
  change(portal: string, settings: JsonObject): void;
  /** `who` is a username, or the BEID for the service account. */
  setActive(who: string, isActive: boolean): void;
  addAccount(account: Pick<Account, "username" | "role"> & { readonly password: string }): void;
  /** Every token and browser session made so far is invalid from now on. */
  revokeTokens(): void;
  close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const switches = readSwitches(options);
  const memory = openMemory(switches);
  const context: SandboxContext = {
    switches,
    memory,
    tokens: createTokens(memory, switches.now),
    calls: new Map(),
    requests: [],
    faults: [],
    random: createRandom(switches.seed),
  };
  const { url, close } = await serve(context);
  const { beid, webServicesKey, clientId, clientSecret, accounts } = memory.read();
  const person = accounts.find((each) => each.username === ADMINISTRATOR);
  return {
    url,
    portalUrl: `${url}${portalBase(switches)}`,
    signInUrl: `${url}${SIGN_IN_BASE}`,
    browserUrl: `${url}${BROWSER_SIGN_IN}`,
    beid,
    webServicesKey,
    username: ADMINISTRATOR,
    password: person?.password ?? "",
    clientId,
    clientSecret,
    portals: portalIds(context),
    requests: context.requests,
    faults: context.faults,
    ...insideOf(context),
    close,
  };
}

/** What a test may read and change from inside. */
function insideOf(context: SandboxContext) {
  const { memory } = context;
  const portalNamed = (id: string): string => {
    const portal = findPortal(context, id);
    if (portal === undefined) throw new TypeError(`the sandbox holds no portal "${id}"`);
    return portal;
  };
  return {
    settings: (portal = "self") => memory.stored(portalNamed(portal)),
    change: (portal, settings) => memory.store(portalNamed(portal), settings),
    setActive(who, isActive) {
      const { accounts, beid } = memory.read();
      const name = who === beid ? SERVICE_ACCOUNT : who;
      if (!accounts.some((each) => each.username === name)) {
        throw new TypeError(`the sandbox has no account "${who}"`);
      }
      memory.change({
        accounts: accounts.map((each) => (each.username === name ? { ...each, isActive } : each)),
      });
    },
    addAccount(account) {
      const added = { ...account, uid: randomUUID(), fullName: account.username, isActive: true };
      memory.change({ accounts: [...memory.read().accounts, added] });
    },
    revokeTokens: () => memory.change({ generation: memory.read().generation + 1 }),
  } satisfies Partial<Sandbox>;
}
