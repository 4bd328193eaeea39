// Chooses the certificates that connections trust and present: those of the command line instead of Node's.
import { resolve } from "node:path";
import { Failure } from "../failure.js";
import { readFile, reasonOf } from "../lib/files.js";
import type { Io } from "../io.js";

/** Far larger than all authorities of a system. */
const LIMITS = { largest: 16 * 1024 * 1024, links: "followed" } as const;

/** In PEM: an additional authority to trust, and a client certificate. */
export interface Certificates {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** One context for all connections; undefined if Node's own is enough. */
export async function openSecureContext(io: Io, own: Certificates) {
  const { ca, cert, key } = own;
  if (ca === undefined && cert === undefined && key === undefined) return undefined;
  const all = ca === undefined ? undefined : [...(await usualAuthorities(io)), ca];
  return secureContextOf(own, all, NAMED);
}

const NAMED =
  "Check that --ca-file, --cert and --key name files in PEM, that TF_HTTP_CLIENT_…_PEM hold such where they are set, and that the key belongs to the certificate.";

/** `all` are the trusted authorities, including the own one; `named` is the help if one is unusable. */
export async function secureContextOf(
  { ca, cert, key }: Certificates,
  all: readonly string[] | undefined,
  named: string,
) {
  // Loaded here, because few runs need them and loading is slow.
  const [{ X509Certificate }, { createSecureContext }] = await Promise.all([
    import("node:crypto"),
    import("node:tls"),
  ]);
  // Node silently ignores each of these mistakes.
  if ((cert === undefined) !== (key === undefined))
    throw unusable(
      `A client certificate and its key belong together, and only the ${cert === undefined ? "key" : "certificate"} is handed in.`,
      `Hand both in; one file may hold both, and is then named twice. ${named}`,
    );
  if (cert === "") throw unusable("The client certificate handed in is empty.", named);
  if (key === "") throw unusable("The key handed in is empty.", named);
  try {
    if (ca !== undefined) void new X509Certificate(ca);
  } catch (error) {
    throw unusable(`The authority handed in is no certificate (${codeOf(error)}).`, named);
  }
  try {
    return createSecureContext({
      ...(all && { ca: [...all] }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    });
  } catch (error) {
    // The first lines of an encrypted key say so, in every format.
    if (key !== undefined && /^(?:-----BEGIN|Proc-Type:).*\bENCRYPTED\b/m.test(key))
      throw unusable("The key has a passphrase, and Lintel does not ask for one.", PLAIN_KEY);
    throw unusable(`The certificates handed in cannot be used (${codeOf(error)}).`, named);
  }
}

const PLAIN_KEY =
  "Write it without one, for its owner alone, and hand that in:\n  (umask 077; openssl pkey -in KEY -out FILE)";

const codeOf = (error: unknown) => (error as { code?: string }).code ?? "not in PEM";

function unusable(message: string, help: string): Failure {
  return new Failure("bad-certificate", message, help);
}

/** Node would accept any certificate, and send credentials to any server. */
export function assertChecked({ env }: Pick<Io, "env">): void {
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0") return;
  throw new Failure(
    "bad-certificate",
    "NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the check of certificates, so that credentials would go to any server that answers.",
    "Unset it. To trust a private authority, name its certificate with --ca-file FILE or NODE_EXTRA_CA_CERTS:\n  unset NODE_TLS_REJECT_UNAUTHORIZED",
  );
}

/** What Node trusts by default, including its own variable. A list of authorities replaces all of it. */
export async function usualAuthorities({ env }: Pick<Io, "env">): Promise<readonly string[]> {
  const { rootCertificates } = await import("node:tls");
  const extra = env["NODE_EXTRA_CA_CERTS"];
  return [...rootCertificates, ...(extra ? [readPem(extra, "NODE_EXTRA_CA_CERTS")] : [])];
}

/** Reads the file that an option or a variable names. */
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
