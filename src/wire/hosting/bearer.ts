import { Failure } from './failure.ts';

const realm = 'Bearer realm="perp"';

/** The key in an Authorization header (API 5). Throws a 401 for any other header. */
export function bearerKey(header: string): string {
  const key = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(header)?.[1];
  if (key === undefined) throw unauthorized('The Authorization header is not "Bearer API_KEY".');
  return key;
}

/** 401, with the challenge that every 401 carries (simulation 8.1). */
export function unauthorized(message: string, challenge = `${realm}, error="invalid_token"`): Failure {
  return new Failure('unauthorized', message, { headers: { 'www-authenticate': challenge } });
}

/** 401 for a credential that is no session, where one is to be revoked. */
export function noSession(): Failure {
  return unauthorized(
    'This credential is not a command-line session. Only sessions can be revoked, and only on the live host.',
  );
}

/** 401 for a request without a credential. */
export function noCredential(): Failure {
  return unauthorized('A credential is required: Authorization: Bearer API_KEY.', realm);
}

/** 401 for a key of the other environment. */
export function wrongHost(message: string): Failure {
  return new Failure('wrong_environment', message, {
    headers: { 'www-authenticate': `${realm}, error="invalid_token"` },
  });
}
