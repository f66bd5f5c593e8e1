/** Codes of failures that retrying soon won't fix, and their meanings. */
const permanent: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate chain is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate can't be verified",
  UNABLE_TO_GET_ISSUER_CERT: "the issuer of the server's certificate is unknown",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the issuer of the server's certificate is unknown",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host",
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not use TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not use TLS on this port',
  // For a header or an address that can't be written.
  UND_ERR_INVALID_ARG: '',
};

const passing: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the connection was reset',
  EAI_AGAIN: 'DNS did not answer',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_SOCKET: 'it closed the connection',
};

/** Why no connection was made: in words, with the system's code, and whether a retry can help. */
export function unreached(error: unknown): { reason: string; code: string | undefined; retryable: boolean } {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : '';
  const reason = (code !== undefined && (permanent[code] || passing[code])) || message || 'no reason given';
  const isOwn = code === undefined || code.startsWith('UND_ERR') || reason.includes(code);
  return {
    reason: isOwn ? reason : `${reason} (${code})`,
    code,
    retryable: code === undefined || !(code in permanent),
  };
}

/** The code of an error, or of the first address tried if a name has several. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause);
}

/** Whether this host, as a URL has it, is this machine itself. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost\.?|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
}
