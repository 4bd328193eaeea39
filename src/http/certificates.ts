// Certificates that were handed in → what secures every connection, instead of what Node trusts by itself.
import { Failure } from "../failure.js";
import { readFile } from "../file.js";
import type { Io } from "../io.js";

const LIMITS = { largest: 16 * 1024 * 1024, links: "followed" } as const;

/** In PEM: an authority to trust beside the usual ones, and what to show to a server that asks. */
export interface Certificates {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** One context for all connections; undefined where Node's own is enough. */
export async function openSecureContext(io: Io, { ca, cert, key }: Certificates) {
  if (!ca && !cert && !key) return undefined;
  // Loaded here alone, for it reads all the authorities that Node brings along.
  const { createSecureContext, rootCertificates } = await import("node:tls");
  // A list of authorities replaces all that Node trusts, those of its own variable included; Node itself says nothing of
  // a file there that is missing or holds none.
  const extra = io.env["NODE_EXTRA_CA_CERTS"];
  try {
    return createSecureContext({
      ...(ca && { ca: [...rootCertificates, ...(extra ? [readFile(extra, LIMITS)] : []), ca] }),
      ...(cert && { cert }),
      ...(key && { key }),
    });
  } catch (error) {
    const reason = (error as { code?: string }).code ?? "not in PEM";
    throw new Failure(
      "bad-certificate",
      `The certificates handed in cannot be used (${reason}).`,
      "Check that --ca-file, --cert and --key name files in PEM, that TF_HTTP_CLIENT_…_PEM hold such where they are set, and that the key belongs to the certificate.",
    );
  }
}
