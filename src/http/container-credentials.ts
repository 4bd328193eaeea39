// Gets the keys of a container's role from this machine's own service, only at AWS' fixed addresses.
import { isLoopback } from "../hosts.js";
import { codeOf } from "./call-failure.js";

/** Of ECS containers and EKS pods. Packets to them never leave the machine, so they need neither TLS nor an allowlist. */
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
  // A separate agent, without a proxy.
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
