import { ConnectionError } from './errors.ts';

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
  UND_ERR_DESTROYED: 'it was closed',
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
  UND_ERR_SOCKET: 'the connection was closed',
};

/** Why no connection to `origin` was made, in words, and whether trying again can help. */
export function connectionFailure(origin: string, error: Error): ConnectionError {
  const code = codeOf(error);
  const reason = (code !== undefined && (permanent[code] || passing[code])) || error.message || 'no reason given';
  const named = code === undefined || reason.includes(code) ? reason : `${reason} (${code})`;
  const retryable = code === undefined || !(code in permanent);
  return new ConnectionError(`no connection to ${origin}: ${named}`, { code, retryable, cause: error });
}

/** The code of the error, or of the first address tried if a name has several. */
function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return first instanceof Error ? codeOf(first) : undefined;
}
