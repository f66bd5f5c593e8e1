import { operationsOf } from './operation.ts';
import { enveloped, ok } from './responses.ts';
import { choice, object, type Sent, string } from './schema.ts';

/** The service's description of itself. */
export const ApiInformation = object({
  name: string(),
  version: string(),
  environment: choice(['live', 'test'], 'Which of the two environments this host serves.'),
  documentation: string('Address of the API documentation.', { format: 'uri' }),
});
export type ApiInformation = Sent<typeof ApiInformation>;

/** Operations of the service itself. */
export const generalOperations = operationsOf({
  /** GET /v1 (API 4.1). */
  getApiInformation: {
    method: 'GET',
    path: '/v1',
    summary: 'Name, version and environment of the service.',
    auth: false,
    responses: { 200: ok(enveloped(ApiInformation)) },
  },
});
