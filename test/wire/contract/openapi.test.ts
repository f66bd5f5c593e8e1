import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openApiDocument } from '../../../src/wire/contract/openapi.ts';
import type { Operation } from '../../../src/wire/contract/operation.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import { factsOf } from './notation.ts';
import { wireFacts } from './wire-facts.ts';

const document = openApiDocument({ baseUrl: 'http://127.0.0.1:7400', sandboxUrl: 'http://127.0.0.1:7401' });
const facts = factsOf(document);

describe('the generated OpenAPI document', () => {
  it('has exactly the operations of the wire contract', () => {
    assert.deepEqual(
      Object.keys(facts.operations).sort(),
      Object.keys(wireFacts.operations).sort(),
      'state the facts of each in wire-facts.ts',
    );
  });

  for (const [id, expected] of Object.entries(wireFacts.operations)) {
    it(`states ${id} as the wire contract does`, () => assert.deepEqual(facts.operations[id], expected));
  }

  it('has exactly the named schemas of the wire contract', () => {
    assert.deepEqual(Object.keys(facts.schemas).sort(), Object.keys(wireFacts.schemas).sort());
  });

  for (const [name, expected] of Object.entries(wireFacts.schemas)) {
    it(`states ${name} as the wire contract does`, () => assert.deepEqual(facts.schemas[name], expected));
  }

  it('shares the refusals of the wire contract', () => assert.deepEqual(facts.refusals, wireFacts.refusals));

  it('states 400 for each operation that has something to be wrong', () => {
    for (const { id, query, body, responses } of Object.values<Operation>(operations))
      if (query !== null || body !== null) assert.ok(400 in responses, id);
  });

  it('states 401 for each operation that reads a credential, needed or not', () => {
    for (const { id, auth, responses } of Object.values<Operation>(operations))
      if (auth !== 'none') assert.ok(401 in responses, id);
  });

  it('names both servers and the bearer credential', () => {
    const { openapi, info, servers, security } = document;
    assert.deepEqual(
      { openapi, info, servers, security },
      {
        openapi: '3.1.0',
        info: { title: 'Challenge Trading API', version: '1.0.0' },
        servers: [
          { url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:7400' } } },
          { url: '{sandbox_url}', variables: { sandbox_url: { default: 'http://127.0.0.1:7401' } } },
        ],
        security: [{ bearerAuth: [] }],
      },
    );
  });

  it('is plain JSON with valid references', () => {
    const text = JSON.stringify(document);
    assert.deepEqual(JSON.parse(text), document);
    for (const [, reference] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = reference!.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
      assert.ok(target, reference);
    }
  });
});
