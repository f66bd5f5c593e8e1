import { operationsOf } from './operation.ts';
import { enveloped, ok } from './responses.ts';
import { choice, object, type Sent, string } from './schema.ts';

/** What the service says about itself. */
export const ApiInformation = object({
  name: string(),
  version: string(),
  environment: choice(['live', 'test'], 'Which of the two hosts this is.'),
  documentation: string('Where the API is described.', { format: 'uri' }),
});
export type ApiInformation = Sent<typeof ApiInformation>;

/** The operations of the service itself. */
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
