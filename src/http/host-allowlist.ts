// Decides which hosts may receive credentials in a run: those on the list, or those that a person accepts.
import { Failure } from "../failure.js";
import { ALLOWED_HOSTS, bareNameHint, entryFor, isListed, isLoopback } from "../hosts.js";
import { isSecure, originOf, parseHosts, type ListedHost } from "../hosts.js";
import { isPipeline, saysYes, type Io } from "../io.js";
import { shellWord } from "../lib/text.js";
import { isRemembered, remember, type Pair } from "./remembered.js";

/** The hosts that receive the credentials of a portal and its state, each with the service that issues them. */
export type CredentialHosts = readonly Pair[];

export interface HostAllowlist {
  /** Who decides. A list is final; after a no, or without an answer, a plan leaves out the portals. */
  readonly by: "list" | "person" | "nobody";
  /** Adds hosts to those of the run, so that one prompt or message covers all. */
  note(credentialHosts: CredentialHosts): void;
  /** Prompts for all new hosts, if a person can answer. */
  confirmNew(): Promise<void>;
  /** Why these hosts, or all noted ones, may not receive credentials; undefined if they may. */
  refusal(credentialHosts?: CredentialHosts): Failure | undefined;
  /** Fails if the address may not receive credentials. */
  readonly assertAllowed: (address: URL) => void;
}

export function openHostAllowlist(io: Io): HostAllowlist {
  const list = io.env[ALLOWED_HOSTS]?.trim() ?? "";
  const hasList = list !== "";
  const canAsk = !hasList && io.stdin.isTerminal && !isPipeline(io.env);
  let hosts: readonly ListedHost[] | undefined;
  const listed = (address: URL) => isListed(address, (hosts ??= parseHosts(list)));
  const noted = new Map<string, Pair>();
  const allowed = new Set<string>();
  const origins = new Set<string>();
  let isAsked = false;

  function mayReceive(pair: Pair): boolean {
    if (!isSecure(pair.to)) return false;
    if (!canAsk) return listed(pair.to);
    return isLoopback(pair.to.hostname) || allowed.has(keyOf(pair));
  }

  function allow(pair: Pair): void {
    allowed.add(keyOf(pair));
    origins.add(originOf(pair.to));
  }

  function refusalOf(refused: CredentialHosts): Failure {
    const open = refused.find(({ to }) => !isSecure(to));
    if (open) return notAllowed([open], NOT_ENCRYPTED);
    const wanted = [...noted.values()];
    if (canAsk) {
      const named = new Set(wanted.map(({ to }) => originOf(to)));
      const isOfFiles = refused.every(({ to }) => named.has(originOf(to)));
      return notAllowed(refused, isOfFiles ? DECLINED : NOT_NAMED);
    }
    // In the same order for all, so that equal refusals have equal texts.
    const missing = [...wanted, ...refused].filter(({ to }) => isSecure(to) && !listed(to));
    const entries = missing.map(({ to, written }) => (written === undefined ? entryFor(to) : "…"));
    const line = [...new Set([...(hasList ? [list] : []), ...entries])].join(",");
    // A change under review may have written the host, and the user will paste this into a shell.
    const advice = `outside the repository:\n  export ${ALLOWED_HOSTS}=${shellWord(line)}`;
    if (!hasList) {
      const why = `because ${ALLOWED_HOSTS} is not set and there is no terminal to ask`;
      return notAllowed(refused, [why, `If these are the right hosts, list them, ${advice}`]);
    }
    const plain = refused.filter(({ written }) => written === undefined);
    const hint = plain.map(({ to }) => bareNameHint(to, hosts ?? [])).find(Boolean) ?? "";
    const why = `which ${ALLOWED_HOSTS} does not list${hint}`;
    return notAllowed(refused, [why, `Correct the address, or list the host, ${advice}`]);
  }

  return {
    by: hasList ? "list" : canAsk ? "person" : "nobody",
    note: (credentialHosts) => {
      for (const pair of credentialHosts) noted.set(keyOf(pair), pair);
    },
    async confirmNew() {
      if (!canAsk) return;
      const open = [...noted.values()].filter((pair) => isSecure(pair.to) && !mayReceive(pair));
      const known = open.filter((pair) => isRemembered(pair, io));
      known.forEach(allow);
      const fresh = open.filter((pair) => !known.includes(pair));
      if (fresh.length === 0 || isAsked) return;
      isAsked = true;
      if (!(await isConfirmed(fresh, io))) return;
      for (const pair of fresh) {
        allow(pair);
        remember(pair, io);
      }
    },
    refusal: (credentialHosts) => {
      const refused = [...(credentialHosts ?? noted.values())].filter((pair) => !mayReceive(pair));
      return refused.length === 0 ? undefined : refusalOf(refused);
    },
    assertAllowed: (to) => {
      const isMet = canAsk ? isLoopback(to.hostname) || origins.has(originOf(to)) : listed(to);
      if (isSecure(to) && isMet) return;
      const known = [...noted.values()].filter((pair) => originOf(pair.to) === originOf(to));
      throw refusalOf(known.length > 0 ? known : [{ service: to, to }]);
    },
  };
}

/** For a run with one portal. */
export async function assertPermitted(
  allowlist: HostAllowlist,
  credentialHosts: CredentialHosts,
): Promise<void> {
  allowlist.note(credentialHosts);
  await allowlist.confirmNew();
  const refusal = allowlist.refusal(credentialHosts);
  if (refusal) throw refusal;
}

/** `service` issues the token; it is the portal if the portal issues its own. */
export function credentialHostsOf(service: URL, portal: URL): CredentialHosts {
  const isOne = originOf(service) === originOf(portal);
  return [{ service, to: service }, ...(isOne ? [] : [{ service, to: portal }])];
}

function keyOf({ service, to }: Pair): string {
  return `${originOf(service)} ${originOf(to)}`;
}

/**
 * Names the hosts themselves, not the references in the file: a yes to a reference would allow any host. A webhook is
 * shown as written, because its variable is the user's own and holds nothing else.
 */
async function isConfirmed(fresh: readonly Pair[], io: Io): Promise<boolean> {
  const rows = fresh.map(({ service, to, written }) => {
    const isOne = originOf(service) === originOf(to);
    return `  ${written ?? entryFor(to)}${isOne ? "" : `, with what ${entryFor(service)} gives for them`}\n`;
  });
  io.stderr.write(`Credentials would go to these hosts for the first time:\n${rows.join("")}`);
  return saysYes(io, "Send credentials to them, and remember this?");
}

/** The reason and the help. */
type Reason = readonly [why: string, help: string];

const NOT_ENCRYPTED: Reason = [
  "because what goes there is not encrypted",
  "Use https://. Only addresses of this machine may use http://.",
];
const DECLINED: Reason = [
  "because that was declined at the prompt",
  "Correct the address, or run the command again and answer yes.",
];
const NOT_NAMED: Reason = [
  "which no file of this run names",
  "Correct the address of the portal or of the sign-in service.",
];

function notAllowed(refused: CredentialHosts, [why, help]: Reason): Failure {
  const shown = refused.map(({ to, written }) => `"${written ?? entryFor(to)}"`);
  const names = [...new Set(shown)].join(" and ");
  return new Failure("host-not-allowed", `Credentials may not go to ${names}, ${why}.`, help);
}
