// Certificates that were handed in → what secures every connection, instead of what Node trusts by itself.
import { resolve } from "node:path";
import { Failure } from "../failure.js";
import { readFile, reasonOf } from "../file.js";
import type { Io } from "../io.js";

/** Many times what all the authorities of a system take. */
const LIMITS = { largest: 16 * 1024 * 1024, links: "followed" } as const;

/** In PEM: an authority to trust beside the usual ones, and what to show to a server that asks. */
export interface Certificates {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** One context for all connections; undefined where Node's own is enough. */
export async function openSecureContext(io: Io, { ca, cert, key }: Certificates) {
  if (ca === undefined && cert === undefined && key === undefined) return undefined;
  // Loaded here alone, for they are needed by few, and take their time.
  const [{ X509Certificate }, { createSecureContext }] = await Promise.all([
    import("node:crypto"),
    import("node:tls"),
  ]);
  // Node takes what is refused here, and then connects as if it had not been handed in.
  if ((cert === undefined) !== (key === undefined))
    throw new Failure(
      "bad-certificate",
      "A client certificate and its key belong together, and only one is handed in.",
      "Name both, with --cert FILE and --key FILE (one file may hold both), or for a state behind HTTP set TF_HTTP_CLIENT_CERTIFICATE_PEM and TF_HTTP_CLIENT_PRIVATE_KEY_PEM.",
    );
  try {
    if (ca !== undefined) void new X509Certificate(ca);
  } catch (error) {
    throw new Failure(
      "bad-certificate",
      `The authority handed in is no certificate in PEM (${codeOf(error)}).`,
      "Check --ca-file, and TF_HTTP_CLIENT_CA_CERTIFICATE_PEM where it is set. What is in DER is turned into PEM by:\n  openssl x509 -inform der -in FILE -out ca.pem",
    );
  }
  const authorities = ca === undefined ? undefined : [...(await usualAuthorities(io)), ca];
  try {
    return createSecureContext({
      ...(authorities && { ca: authorities }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    });
  } catch (error) {
    throw new Failure(
      "bad-certificate",
      `The client certificate handed in cannot be used (${codeOf(error)}).`,
      "Check that --cert and --key name files in PEM, that TF_HTTP_CLIENT_…_PEM hold such where they are set, and that the key belongs to the certificate.",
    );
  }
}

const codeOf = (error: unknown) => (error as { code?: string }).code ?? "not in PEM";

/** What Node trusts by itself, its own variable included: a list of authorities takes the place of all of it. */
export async function usualAuthorities({ env }: Pick<Io, "env">): Promise<readonly string[]> {
  const { rootCertificates } = await import("node:tls");
  const extra = env["NODE_EXTRA_CA_CERTS"];
  return [...rootCertificates, ...(extra ? [readPem(extra, "NODE_EXTRA_CA_CERTS")] : [])];
}

/** The file that an option or a variable names, told as it is written there. */
export function readPem(file: string, namedBy: string, cwd = "."): string {
  try {
    return readFile(resolve(cwd, file), LIMITS).toString();
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const reason = isMissing ? "there is no such file" : reasonOf(error);
    if (reason === undefined) throw error;
    const message = `"${file}" cannot be read: ${reason}.`;
    throw new Failure("bad-certificate", message, `Check ${namedBy}, which names a file in PEM.`, {
      cause: error,
    });
  }
}
