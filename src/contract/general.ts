import { enveloped, listed, ok, operationsOf, refusals } from './operation.ts';
import { choice, object, type Sent, string } from './schema.ts';

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

/** Operations of the service itself. */
export const generalOperations = operationsOf({
  /** GET /v1 (API 4.1). */
  getApiInformation: {
    method: 'GET',
    path: '/v1',
    summary: 'Name, version and environment of the service.',
    auth: 'optional',
    responses: { 200: ok(enveloped(ApiInformation)) },
  },
  /** GET /v1/restricted-countries (API 4.1). */
  listRestrictedCountries: {
    method: 'GET',
    path: '/v1/restricted-countries',
    summary: 'Countries whose residents the service does not accept, sorted.',
    auth: 'optional',
    responses: { 200: ok(listed(RestrictedCountry)), ...refusals(429) },
  },
});
