// Noun: why a request brought no answer, and whether it may have arrived. An error of the network → that failure.
import { Failure, type FailureCode } from "../failure.js";

export class CallFailure extends Failure {
  /** The request may have arrived: it was written, at least in part. */
  readonly sent: boolean;
  /** Another attempt may do better. */
  readonly isPassing: boolean;

  constructor(code: FailureCode, sent: boolean, isPassing: boolean, message: string, help: string) {
    super(code, message, help);
    this.name = "CallFailure";
    this.sent = sent;
    this.isPassing = isPassing;
  }
}

const UNTRUSTED = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REVOKED",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

const CHECK_ADDRESS = "Check the address, the network and the proxy, then run the command again.";

/**
 * The error itself is no cause of the failure: some of them hold a piece of the answer, which may repeat a secret.
 */
export function callFailure(
  error: unknown,
  host: string,
  at: { readonly sent: boolean; readonly hasBegun: boolean },
): CallFailure {
  if (error instanceof CallFailure) return error;
  const code = codeOf(error);
  if (UNTRUSTED.has(code)) {
    return new CallFailure(
      "not-trusted",
      false,
      false,
      `The certificate of "${host}" is not trusted (${code}).`,
      "If the host belongs to a private authority, hand its certificate in with --ca-file FILE or NODE_EXTRA_CA_CERTS.",
    );
  }
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH/.test(code + messageOf(error))) {
    return new CallFailure(
      "not-trusted",
      false,
      false,
      `"${host}" does not speak TLS at this port.`,
      "Check the port, or write http:// if the host offers nothing else.",
    );
  }
  if (/^ERR_SSL_|^EPROTO$/.test(code)) {
    return new CallFailure(
      "not-trusted",
      // An alert of this kind comes from a handshake that the server did not finish.
      false,
      false,
      `No secure connection to "${host}" came about (${code}).`,
      "If the host asks for a client certificate, hand it in with --cert FILE and --key FILE.",
    );
  }
  if (/proxy/i.test(messageOf(error))) {
    const status = /\((\d{3})\)/.exec(messageOf(error))?.[1];
    return new CallFailure(
      "not-reachable",
      false,
      status !== undefined && status >= "500",
      `The proxy does not connect to "${host}"${status ? ` (${status})` : ""}.`,
      "Check HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY.",
    );
  }
  if (error instanceof Error && error.name === "HTTPParserError") {
    return new CallFailure(
      "answer-not-understood",
      at.sent,
      false,
      `The answer of "${host}" is not HTTP.`,
      "Check the address and its port.",
    );
  }
  if (!at.sent) {
    const message =
      code === "ENOTFOUND"
        ? `The host "${host}" is not known.`
        : `The host "${host}" cannot be reached (${code}).`;
    return new CallFailure("not-reachable", false, true, message, CHECK_ADDRESS);
  }
  if (at.hasBegun) {
    const message = `The answer of "${host}" was cut off (${code}).`;
    return new CallFailure("answer-cut-off", true, true, message, CHECK_ADDRESS);
  }
  const message = `The host "${host}" closed the connection without an answer (${code}).`;
  return new CallFailure("no-answer", true, true, message, CHECK_ADDRESS);
}

export function timedOut(host: string, seconds: number, sent: boolean): CallFailure {
  return new CallFailure(
    sent ? "no-answer" : "not-reachable",
    sent,
    // Whole minutes have gone by; more of them would only hide that the server hangs.
    false,
    `The host "${host}" did not answer within ${seconds} seconds.`,
    CHECK_ADDRESS,
  );
}

export function tooLarge(host: string, limit: number): CallFailure {
  return new CallFailure(
    "answer-too-large",
    true,
    false,
    `The answer of "${host}" is longer than ${limit} bytes.`,
    "Check that the address is the one of the interface, not of a download.",
  );
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : "unknown reason";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
