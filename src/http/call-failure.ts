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

const OUT_OF_TIME =
  "Have it renewed by whoever looks after the host, and check that the clock of this machine is right.";
const UNFIT =
  "It, or one that vouches for it, is made for another purpose, or its key or signature is too weak or wrong. Ask whoever looks after the host for another one.";

/** What to do about a server's certificate, by the error that refuses it, where it is not for want of an authority. */
const FAULTS: Readonly<Record<string, string>> = {
  CERT_CHAIN_TOO_LONG: UNFIT,
  CERT_HAS_EXPIRED: OUT_OF_TIME,
  CERT_NOT_YET_VALID: OUT_OF_TIME,
  CERT_REJECTED: UNFIT,
  CERT_REVOKED: "Its authority has taken it back. Ask whoever looks after the host for a new one.",
  CERT_SIGNATURE_FAILURE: UNFIT,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "It names other hosts. Check the address, or ask whoever looks after the host for a certificate that names it.",
  INVALID_CA: UNFIT,
  INVALID_PURPOSE: UNFIT,
  PATH_LENGTH_EXCEEDED: UNFIT,
  // What Node has no name for, such as a signature by SHA-1.
  UNSPECIFIED: UNFIT,
};

const UNKNOWN_AUTHORITY =
  /^(?:CERT_UNTRUSTED|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT(?:_IN_CHAIN)?|UNABLE_TO_(?:GET_ISSUER_CERT(?:_LOCALLY)?|VERIFY_LEAF_SIGNATURE))$/;

/** Undefined for what is no error of a server's certificate. `by`: what an authority is handed in with. */
export function helpForCertificate(
  code: string,
  by = "--ca-file FILE or NODE_EXTRA_CA_CERTS",
): string | undefined {
  if (!UNKNOWN_AUTHORITY.test(code)) return FAULTS[code];
  const help = `If it belongs to a private authority, hand that one's certificate in with ${by}.`;
  if (!code.startsWith("UNABLE_TO_")) return help;
  return `${help} Where that is done, another one is missing, in between or at the root: add it to the same file, or have the host send it.`;
}

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
      /UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION/.test(code)
        ? "It speaks no version of TLS from 1.2 on, and older ones are not used."
        : "If the host asks for a client certificate, hand it in with --cert FILE and --key FILE.",
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
  const help = helpForCertificate(code);
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

/** A server that asks for a client certificate, and takes none that it was shown. */
export function certificateWanted(host: string): CallFailure {
  return new CallFailure(
    "not-trusted",
    `The host "${host}" wants a client certificate that it trusts (400).`,
    "Hand one in with --cert FILE and --key FILE, and check that it is not out of time.",
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
