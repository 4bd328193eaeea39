// Asks the machine's own service for the keys of a container's role: at the addresses that AWS has for it, and nowhere else.
import { isLoopback } from "../hosts.js";
import { codeOf } from "./call-failure.js";

/** Of containers on ECS and pods on EKS: no packet for them leaves the machine, so that they need no TLS and are on no list of hosts. */
const OWN_SERVICES = ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"];
const TIMEOUT_MS = 5_000;

export async function readContainerCredentials(
  address: string,
  token: string | undefined,
): Promise<{ readonly text: string } | { readonly why: string }> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !(OWN_SERVICES.includes(url.hostname) || isLoopback(url.hostname)))
    return { why: `its address is not one of this machine's own (${OWN_SERVICES.join(", ")})` };
  const { Agent, request } = await import("undici");
  // Of its own, because no proxy stands in between.
  const dispatcher = new Agent();
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      headers: token ? { authorization: token } : {},
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const text = await body.text();
    return statusCode === 200 ? { text } : { why: `it answers ${statusCode}` };
  } catch (error) {
    return { why: `it does not answer (${codeOf(error)})` };
  } finally {
    await dispatcher.close();
  }
}
