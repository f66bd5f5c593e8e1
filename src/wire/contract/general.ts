import { WireError } from './errors.ts';
import { enveloped, get, listed, operationsOf, post, response } from './operation.ts';
import { boolean, choice, integer, object, type Sent, string } from './schema.ts';

/** The service's description of itself. */
export const ApiInformation = object({
  name: string(),
  version: string(),
  environment: choice(['live', 'test'], 'Which of the two environments this host serves.'),
  documentation: string('Address of the API documentation.', { format: 'uri' }),
});
export type ApiInformation = Sent<typeof ApiInformation>;

/** A country whose residents the service does not accept. */
export const RestrictedCountry = object({
  country: string('ISO 3166-1 alpha-2.', { minLength: 2, maxLength: 2 }),
});
export type RestrictedCountry = Sent<typeof RestrictedCountry>;

/** Proof that the code was approved for this client (RFC 7636); other properties are ignored. */
const CliTokenRequest = object({
  code: string('The one-time authorization code.'),
  code_verifier: string('The PKCE verifier of the approved S256 challenge.'),
});
export type CliTokenRequest = Sent<typeof CliTokenRequest>;

/** An expiring session credential; `api_key` is returned exactly once. */
export const CliToken = object({
  api_key: string('The credential, shown only here.'),
  token_type: string('Bearer.'),
  expires_at: integer('Unix milliseconds.'),
  name: string("The session's label, from the device name."),
});
export type CliToken = Sent<typeof CliToken>;

/** Operations of the service itself, and of logging in. */
export const generalOperations = operationsOf({
  /** GET /v1 (API 4.1). */
  getApiInformation: get('/v1', 'Name, version and environment of the service.', enveloped(ApiInformation), {
    auth: 'optional',
    isUnlimited: true,
  }),
  /** GET /v1/restricted-countries (API 4.1). */
  listRestrictedCountries: get(
    '/v1/restricted-countries',
    'Countries whose residents the service does not accept, sorted.',
    listed(RestrictedCountry),
    { auth: 'optional' },
  ),
  /** POST /v1/auth/cli/token (API 4.1, 5). Its 400 has no `error` wrapper. */
  exchangeCliAuthorizationCode: post(
    '/v1/auth/cli/token',
    'Exchange an approved authorization code for a session credential.',
    enveloped(CliToken),
    {
      auth: 'none',
      body: CliTokenRequest,
      scope: 'read',
      others: { 400: response('Bad request', WireError) },
    },
  ),
  /** POST /v1/auth/cli/revoke (API 4.1). It revokes command-line sessions only. */
  revokeCliSession: post(
    '/v1/auth/cli/revoke',
    'Revoke the command-line session that makes the request.',
    enveloped(object({ revoked: boolean() })),
    { scope: 'read' },
  ),
});
