import { found, type Handler } from '../operations.ts';

/** GET /v1 (API 4.1): the document is the one that the same host serves. */
export const getApiInformation: Handler<'getApiInformation'> = ({ environment, urls }) =>
  found({
    name: 'perp simulated exchange',
    version: '1.0.0',
    environment,
    documentation: `${urls[environment]}/openapi.json`,
  });
