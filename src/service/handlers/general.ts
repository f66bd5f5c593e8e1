import { found, type Handler } from './operations.ts';

/** GET /v1 (API 4.1): the documentation is on the same host. */
export const getApiInformation: Handler<'getApiInformation'> = ({ environment, urls }) =>
  found({
    name: 'perp simulated exchange',
    version: 'v1',
    environment,
    documentation: `${urls[environment]}/openapi.json`,
  });

/** Sorted. The live service has its own list; these are rows for clients to work with (simulation 10.1). */
const restrictedCountries = ['CU', 'IR', 'KP', 'SY'];

/** GET /v1/restricted-countries (API 4.1): may be cached for five minutes, as on the live service. */
export const listRestrictedCountries: Handler<'listRestrictedCountries'> = () => ({
  ...found(restrictedCountries.map((country) => ({ country }))),
  headers: { 'cache-control': 'public, max-age=300' },
});
