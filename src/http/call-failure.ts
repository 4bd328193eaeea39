// Noun: why a request brought no answer, and whether it may have arrived. An error of the network → that failure.
import { Failure, type FailureCode } from "../failure.js";

type Attempted = Pick<CallFailure, "sent" | "isPassing" | "askedMs">;

export class CallFailure extends Failure {
  override name = "CallFailure";
  /** The request may have arrived: it was written, at least in part. */
  readonly sent: boolean;
  /** Another attempt may do better. */
  readonly isPassing: boolean;
  /** How long the server asks not to be called. */
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

/** Why a proxy passes nothing on: the status of its answer, or the code of an error on the way to it. */
export class ProxyRefusal extends Error {
  override name = "ProxyRefusal";
  readonly reason: string;

  constructor(reason: string | undefined) {
    super("The proxy refuses.");
    this.reason = reason ?? "unknown reason";
  }
}

const UNKNOWN_AUTHORITY =
  "If it belongs to a private authority, hand that one's certificate in with --ca-file FILE or NODE_EXTRA_CA_CERTS.";
const OUT_OF_TIME =
  "Have it renewed by whoever looks after the host, and check that the clock of this machine is right.";

/** What to do about a certificate, by the error that refuses it. */
const UNTRUSTED: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: OUT_OF_TIME,
  CERT_NOT_YET_VALID: OUT_OF_TIME,
  CERT_REVOKED: "Its authority has taken it back. Ask whoever looks after the host for a new one.",
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "It names other hosts. Check the address, or ask whoever looks after the host for a certificate that names it.",
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
};

const CHECK_ADDRESS = "Check the address, the network and the proxy, then run the command again.";

/** The error itself is no cause of the failure: some of them hold a piece of the answer, which may repeat a secret. */
export function callFailure(
  error: unknown,
  host: string,
  { sent, hasBegun }: { readonly sent: boolean; readonly hasBegun: boolean },
): CallFailure {
  if (error instanceof CallFailure) return error;
  if (error instanceof ProxyRefusal) return refusedByProxy(error, host);
  const given = (error as { code?: unknown } | undefined)?.code;
  const code = typeof given === "string" ? given : "unknown reason";
  const said = error instanceof Error ? error.message : "";
  const trust = untrusted(code, `"${host}"`);
  if (trust) return trust;
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH/.test(code + said)) {
    return new CallFailure(
      "not-trusted",
      `"${host}" does not speak TLS at this port.`,
      "Check the port, or write http:// if the host offers nothing else.",
    );
  }
  // An alert of this kind comes from a handshake that the server did not finish, so that nothing was sent.
  if (/^ERR_SSL_|^EPROTO$/.test(code)) {
    return new CallFailure(
      "not-trusted",
      `No secure connection to "${host}" came about (${code}).`,
      "If the host asks for a client certificate, hand it in with --cert FILE and --key FILE.",
    );
  }
  if (code.startsWith("HPE_")) {
    const isLong = code === "HPE_HEADER_OVERFLOW";
    const what = isLong ? "has a head that is too long" : "is not HTTP";
    const help = "Check the address and its port.";
    return new CallFailure("answer-not-understood", `The answer of "${host}" ${what}.`, help, {
      sent,
    });
  }
  const passing = (why: FailureCode, message: string) =>
    new CallFailure(why, message, CHECK_ADDRESS, { sent, isPassing: true });
  if (!sent && code === "ENOTFOUND")
    return passing("not-reachable", `The host "${host}" is not known.`);
  if (!sent) return passing("not-reachable", `The host "${host}" cannot be reached (${code}).`);
  return hasBegun
    ? passing("answer-cut-off", `The answer of "${host}" was cut off (${code}).`)
    : passing("no-answer", `The host "${host}" closed the connection without an answer (${code}).`);
}

function untrusted(code: string, whose: string): CallFailure | undefined {
  const help = UNTRUSTED[code];
  const message = `The certificate of ${whose} is not trusted (${code}).`;
  return help === undefined ? undefined : new CallFailure("not-trusted", message, help);
}

function refusedByProxy({ reason }: ProxyRefusal, host: string): CallFailure {
  const trust = untrusted(reason, "the proxy");
  if (trust) return trust;
  const isOtherScheme = /^(?:HPE_|ERR_SSL_|EPROTO$)/.test(reason);
  let help =
    "Check HTTPS_PROXY and HTTP_PROXY and the address of the host, or list the host in NO_PROXY.";
  if (reason === "407") help = "Check HTTPS_PROXY and HTTP_PROXY: http://NAME:PASSWORD@HOST:PORT.";
  if (isOtherScheme)
    help =
      "Check in HTTPS_PROXY and HTTP_PROXY whether the proxy itself takes http:// or https://.";
  return new CallFailure(
    "not-reachable",
    `The proxy does not connect to "${host}" (${reason}).`,
    help,
    // What it refuses by itself, it would refuse again.
    { isPassing: !isOtherScheme && !reason.startsWith("4") },
  );
}

/** Not passing: whole minutes have gone by, and more of them would only hide that the server hangs. */
export function timedOut(host: string, seconds: number, sent: boolean): CallFailure {
  const message = `The host "${host}" did not answer within ${seconds} seconds.`;
  return new CallFailure(sent ? "no-answer" : "not-reachable", message, CHECK_ADDRESS, { sent });
}

export function tooLarge(host: string, limit: number): CallFailure {
  const message = `The answer of "${host}" is longer than ${limit} bytes.`;
  const help = "Check that the address is the one of the interface, not of a download.";
  return new CallFailure("answer-too-large", message, help, { sent: true });
}
