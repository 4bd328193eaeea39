// Explains why a call brought no answer, and whether the request may have arrived.
import { Failure, type FailureCode } from "../failure.js";

type Attempted = Pick<CallFailure, "sent" | "isPassing" | "askedMs">;

export class CallFailure extends Failure {
  override name = "CallFailure";
  /** The request was sent at least in part, so it may have arrived. */
  readonly sent: boolean;
  /** Another attempt may succeed. */
  readonly isPassing: boolean;
  /** The delay that the server asks for. */
  readonly askedMs: number | undefined;

  constructor(
    code: FailureCode,
    message: string,
    help: string,
    { sent = false, isPassing = false, askedMs }: Partial<Attempted> = {},
  ) {
    super(code, message, help);
    this.sent = sent;
    this.isPassing = isPassing;
    this.askedMs = askedMs;
  }
}

/** A proxy that opens no tunnel. The reason is the status of its answer, or an error code. */
export class ProxyRefusal extends Error {
  override name = "ProxyRefusal";
  readonly reason: string;

  constructor(reason: string) {
    super("The proxy opens no tunnel.");
    this.reason = reason;
  }
}

/** Translates undici's codes to those that administrators know. */
const USUAL_CODES: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: "ETIMEDOUT",
  UND_ERR_HEADERS_TIMEOUT: "ETIMEDOUT",
  UND_ERR_SOCKET: "ECONNRESET",
};

/** The code of an error, else its name, such as undici's HTTPParserError. */
export function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name: string };
  return typeof code === "string" ? (USUAL_CODES[code] ?? code) : name;
}

const NOT_HTTP = /^(?:HTTPParserError|UND_ERR_(?:HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH))$/;

const ASK = "Ask the administrator of the host for";

/** Help for a server's certificate, by error code. */
const CERTIFICATE_HINTS: readonly (readonly [code: RegExp, help: string])[] = [
  [
    /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/,
    `${ASK} a renewed one, and check that the clock of this machine is right.`,
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    `It names other hosts. Check the address, or ask for a certificate that names this host.`,
  ],
  // Node uses UNSPECIFIED for cases without a name, such as a signature with SHA-1.
  [
    /^(?:CERT_(?:CHAIN_TOO_LONG|REJECTED|REVOKED|SIGNATURE_FAILURE)|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|UNSPECIFIED)$/,
    `It, or one that vouches for it, is revoked, too weak, or made for another purpose. ${ASK} another one.`,
  ],
];

const UNKNOWN_AUTHORITY =
  /^(?:CERT_UNTRUSTED|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT(?:_IN_CHAIN)?|UNABLE_TO_(?:GET_ISSUER_CERT(?:_LOCALLY)?|VERIFY_LEAF_SIGNATURE))$/;

/** Undefined for errors not about a server's certificate. `by` is how an authority is passed. */
export function helpForCertificate(
  code: string,
  by = "--ca-file FILE or NODE_EXTRA_CA_CERTS",
): string | undefined {
  if (!UNKNOWN_AUTHORITY.test(code))
    return CERTIFICATE_HINTS.find(([each]) => each.test(code))?.[1];
  const help = `If your organisation has its own certificate authority, give its certificate with ${by}.`;
  if (!code.startsWith("UNABLE_TO_")) return help;
  return `${help} If the error stays, add the intermediate and root certificates to that file.`;
}

const CHECK_ADDRESS = "Check the address, the network and the proxy, then run the command again.";

/** Does not keep the error as its cause: it may contain a part of the answer, which may repeat a secret. */
export function callFailure(
  error: unknown,
  host: string,
  { sent, hasBegun }: { readonly sent: boolean; readonly hasBegun: boolean },
): CallFailure {
  if (error instanceof ProxyRefusal) return refusedByProxy(error, host);
  const code = codeOf(error);
  const said = error instanceof Error ? error.message : "";
  const failed = (why: FailureCode, message: string, help: string) =>
    new CallFailure(why, message, help, { sent });
  const hint = helpForCertificate(code);
  if (hint)
    return failed("not-trusted", `The certificate of "${host}" is not trusted (${code}).`, hint);
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH/.test(code + said)) {
    const help = "Check the port, or write http:// if the host offers nothing else.";
    return failed("not-trusted", `"${host}" does not speak TLS at this port.`, help);
  }
  if (/^ERR_SSL_|^EPROTO$/.test(code)) {
    const help =
      "If the host asks for a client certificate, hand it in with --cert FILE and --key FILE. It must speak TLS 1.2 or later.";
    const message = `The secure connection to "${host}" failed (${code}).`;
    // In TLS 1.3, a server may refuse the client's certificate after the first bytes; then it has not read them.
    const isRefused = /CERTIFICATE|UNKNOWN_CA|HANDSHAKE/.test(code);
    return new CallFailure("not-trusted", message, help, { sent: sent && !isRefused });
  }
  if (!hasBegun && NOT_HTTP.test(code)) {
    const what =
      code === "UND_ERR_HEADERS_OVERFLOW" ? "has a head that is too long" : "is not HTTP";
    const message = `The answer of "${host}" ${what}.`;
    return failed("answer-not-understood", message, "Check the address and its port.");
  }
  const passing = (why: FailureCode, message: string) =>
    new CallFailure(why, message, CHECK_ADDRESS, { sent, isPassing: true });
  if (!sent && code === "ENOTFOUND")
    return passing("not-reachable", `The host "${host}" is not known.`);
  if (!sent) return passing("not-reachable", `The host "${host}" cannot be reached (${code}).`);
  return hasBegun
    ? passing("no-answer", `The answer of "${host}" was cut off (${code}).`)
    : passing("no-answer", `The host "${host}" closed the connection without an answer (${code}).`);
}

function refusedByProxy({ reason }: ProxyRefusal, host: string): CallFailure {
  const hint = helpForCertificate(reason);
  if (hint) {
    const message = `The certificate of the proxy is not trusted (${reason}).`;
    return new CallFailure("not-trusted", message, hint);
  }
  return new CallFailure(
    "not-reachable",
    `The proxy does not connect to "${host}" (${reason}).`,
    "Check HTTPS_PROXY and HTTP_PROXY (http://NAME:PASSWORD@HOST:PORT, or https:// if the proxy takes that), or list the host in NO_PROXY.",
    // Retrying does not help if the proxy itself refuses, or uses another scheme.
    { isPassing: !/^4|^(?:HTTPParserError$|ERR_SSL_|EPROTO$)/.test(reason) },
  );
}

/** For a server that requires a client certificate and accepted none. */
export function certificateWanted(host: string): CallFailure {
  return new CallFailure(
    "not-trusted",
    `The host "${host}" requires a client certificate that it trusts (400).`,
    "Hand one in with --cert FILE and --key FILE, and check that it has not expired.",
  );
}

/** Refused, so nothing was done. */
export function tooManyRequests(host: string, askedMs: number | undefined): CallFailure {
  const message = `The host "${host}" refuses more requests for now (429).`;
  const help = "Wait a few minutes, then run the command again.";
  return new CallFailure("too-many-requests", message, help, { askedMs });
}

/** Not passing: it took minutes already, and retries would only hide that the server hangs. */
export function timedOut(host: string, seconds: number, sent: boolean): CallFailure {
  const message = `The host "${host}" did not answer within ${seconds} seconds.`;
  return new CallFailure(sent ? "no-answer" : "not-reachable", message, CHECK_ADDRESS, { sent });
}

export function tooLarge(host: string, limit: number): CallFailure {
  const message = `The answer of "${host}" is longer than ${limit} bytes.`;
  const help = "Check that the address is the one of the interface, not of a download.";
  return new CallFailure("answer-not-understood", message, help, { sent: true });
}
