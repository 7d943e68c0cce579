/** Converts an error of the network into the reason for a missing reply, with advice. */

/** The kind of a failure. `unreachable`: no connection; `hang`: no reply in time; `broken`: an unreadable reply; `aborted`: the caller stopped waiting. */
export type FailureKind = 'unreachable' | 'hang' | 'broken' | 'aborted';

export class TransportFailure extends Error {
  /** `short`: the message without advice. */
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly short = message,
  ) {
    super(message);
    this.name = 'TransportFailure';
  }
}

type Advice = (host: string) => string;

const UNKNOWN_AUTHORITY: Advice = (host) =>
  `the certificate of ${host} is self-signed, or of an authority that this machine does not know: give the authority's certificate (PEM) as ca: in the target file, or in the environment variable NODE_EXTRA_CA_CERTS`;
const NO_TLS: Advice = (host) => `${host} does not speak TLS: should its URL begin with http:// instead of https://?`;
const NO_COMMON_TLS: Advice = (host) =>
  `${host} and the suite agree on no TLS: see which versions, ciphers and names of hosts the server takes, and whether it wants a certificate of the client`;
const NO_HTTP_1: Advice = (host) =>
  `${host} speaks HTTP/2 only, and the suite speaks HTTP/1.1: let the server or a gateway offer HTTP/1.1 too`;
const CUT_SHORT: Advice = (host) =>
  `${host} closed the connection before the end of its reply: see its log; if no reply comes at all, its URL may have to begin with https://`;
const LATE_CLOCK = 'see whether its dates, and the clock of this machine, are right';
const NO_ROUTE: Advice = (host) => `no way leads to ${host}: see whether its network, or a VPN to it, is up`;

/** The advice for an error of the network, by its code. */
const ADVICE: Readonly<Record<string, Advice>> = {
  ECONNREFUSED: (host) =>
    `nothing listens at ${host}: see whether the server runs, and whether host and port of the URL are right`,
  ENOTFOUND: (host) => `no name server knows ${host}: see whether the host in the URL is right`,
  EAI_AGAIN: (host) => `no name server answers for ${host}: see whether this machine is online`,
  ECONNRESET: CUT_SHORT,
  EPIPE: CUT_SHORT,
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  ETIMEDOUT: (host) => `${host} does not take the connection: see whether a firewall is between`,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: (host) => `the certificate of ${host} has expired: renew it, or ${LATE_CLOCK}`,
  CERT_NOT_YET_VALID: (host) => `the certificate of ${host} is not valid yet: ${LATE_CLOCK}`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) =>
    `the certificate of ${host} is for other hosts: put one of its names into the URL, or have a certificate issued for this one`,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_SSL_HTTP_REQUEST: NO_TLS,
  ERR_SSL_UNKNOWN_PROTOCOL: NO_TLS,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: NO_HTTP_1,
};

/** An OpenSSL error in the message of a Node error with an unspecific code: `…:error:0A00010B:SSL routines:function:reason:file…`. */
const OPENSSL = /error:[0-9a-f]+:[^:]*:[^:]*:([^:]+)/i;

/** Codes of errors without a usable connection. */
const UNREACHABLE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CERT_|ERR_TLS_CERT|.*_CERT|.*SIGNATURE$)/;

/** The first bytes of a server that does not speak HTTP/1.1. */
const OTHER_PROTOCOLS: readonly (readonly [first: RegExp, advice: Advice])[] = [
  // An alert or a handshake record (RFC 8446, 5.1).
  [/^1[56]03/, (host) => `${host} speaks TLS: should its URL begin with https:// instead of http://?`],
  // The frame SETTINGS, with which a server begins (RFC 9113, 3.4).
  [/^0000..04/, NO_HTTP_1],
];

/** The part of a reply before its connection closed. */
interface Beginning {
  readonly status: number;
  /** The received bytes of its body. */
  readonly bytes: number;
}

/** The failure for an error of node:http. `host`: the destination with its port; `begun`: the received part of the reply. */
export function failureOf(error: unknown, host: string, begun?: Beginning): TransportFailure {
  if (error instanceof TransportFailure) return error;
  if (!(error instanceof Error)) return new TransportFailure('broken', String(error));
  // A host with several addresses gives one error for each.
  const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  const { code: given = '', rawPacket } = first as { code?: string; rawPacket?: Buffer };
  const message = (error instanceof AggregateError ? error.errors : [error])
    .map((each: Error) => each.message)
    .join('; ');
  const tls = OPENSSL.exec(message)?.[1];
  const code = tls === undefined ? given : `ERR_SSL_${tls.toUpperCase().replaceAll(/\W+/g, '_')}`;
  const said = rawPacket?.toString('hex', 0, 8) ?? '';
  const usual = tls === undefined ? undefined : NO_COMMON_TLS;
  const [, advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : usual] =
    OTHER_PROTOCOLS.find(([begin]) => begin.test(said)) ?? [];
  const kind = UNREACHABLE.test(code) ? 'unreachable' : 'broken';
  const words = first.name === 'Error' && message !== '' ? message.trim() : `${code} ${message}`.trim();
  const shown = tls === undefined ? words : `TLS: ${tls}`;
  const part = begun === undefined ? '' : ` after status ${begun.status} and ${begun.bytes} bytes of the body`;
  const short = advice === CUT_SHORT ? `the connection is closed${part || ' without a reply'} (${shown})` : shown;
  return new TransportFailure(kind, advice === undefined ? shown : `${advice(host)} (${shown})`, short);
}
