// LINTEL_ALLOWED_HOSTS → may credentials go to this host? Hosts, "host:port" and "*.example.com", separated by commas.
import { Failure } from "../failure.js";

export const ALLOWED_HOSTS = "LINTEL_ALLOWED_HOSTS";

/** A variable that is set and names no host allows none: an empty list is more likely a slip than a wish. */
export function isAllowedHost(address: URL, list: string | undefined): boolean {
  if (list === undefined) return true;
  const port = address.port || (address.protocol === "https:" ? "443" : "80");
  return list
    .split(",")
    .map((each) => each.trim().toLowerCase())
    .some((each) => {
      const match = /^(\*\.)?([^:*/\s]+|\[[0-9a-f:.]+\])(?::(\d+))?$/.exec(each);
      if (!match) return false;
      const [, wildcard, host = "", ofPort] = match;
      if (ofPort && ofPort !== port) return false;
      return wildcard ? address.hostname.endsWith(`.${host}`) : address.hostname === host;
    });
}

export function assertAllowedHost(address: URL, list: string | undefined): void {
  if (isAllowedHost(address, list)) return;
  throw new Failure(
    "host-not-allowed",
    `Credentials may not go to "${address.host}", which ${ALLOWED_HOSTS} does not list.`,
    `Correct the address, or add the host outside the repository:\n  ${ALLOWED_HOSTS}=${[list, address.host].filter(Boolean).join(",")}`,
  );
}
