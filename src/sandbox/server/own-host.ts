// A request's Host header and where the sandbox listens → whether the request means this sandbox.
import { isIP } from "node:net";

export interface Listening {
  /** As it was asked for: an address or a name. */
  readonly host: string;
  /** As the system says. */
  readonly address: string;
  readonly port: number;
}

/**
 * A page on the web can make a name of its own mean this machine, and would then read the sandbox as if it were its
 * own server; the request still says that name. Nobody on the web owns an address, or a name without a dot.
 *
 * | listens on | 127.0.0.1, localhost, [::1], its own | another address, a name without a dot | another name |
 * |------------|--------------------------------------|---------------------------------------|--------------|
 * | loopback   | with its port                        | no                                    | no           |
 * | elsewhere  | yes                                  | yes                                   | no           |
 *
 * Elsewhere any port will do, because a container's outside may see another one.
 */
export function isOwnHost(header: string | undefined, listening: Listening): boolean {
  if (!header || /[/\\@?#\s]/.test(header) || !URL.canParse(`http://${header}`)) return false;
  const { hostname, port } = new URL(`http://${header}`);
  const name = plain(hostname);
  const own = ["127.0.0.1", "localhost", "::1", listening.address, listening.host].map(plain);
  if (isLoopback(listening.address)) {
    return own.includes(name) && Number(port || 80) === listening.port;
  }
  return own.includes(name) || isIP(name) !== 0 || !name.includes(".");
}

function isLoopback(address: string): boolean {
  return /^(?:127\.|::1$|::ffff:127\.)/.test(address);
}

function plain(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
}
