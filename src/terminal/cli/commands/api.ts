import { usageFailure } from '../../../base/failure/failure.ts';
import { markOfWire } from '../../../base/failure/report.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import type { BulkOperationId } from '../../../wire/client/client.ts';
import { nearest } from '../../../wire/contract/nearest.ts';
import type { Operation } from '../../../wire/contract/operation.ts';
import { type KnownOperationId, operations, type RequestOf } from '../../../wire/contract/operations.ts';
import { parseQuery } from '../../../wire/contract/request.ts';
import { simulationOperations } from '../../../wire/contract/simulation.ts';
import { Router } from '../../../wire/contract/target.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { line, listOf, type Result, recordOf } from '../../console/output/result.ts';
import { invalid, jsonGiven } from '../reading/json-given.ts';
import { sendBulk, write } from '../writes/write.ts';

export const command = defineCommand({
  summary: 'Call an API endpoint directly',
  description:
    "Prints the answer's body. A write is treated like any other: saved to disk first, confirmed on a terminal, looked up or repeated under its key if no answer arrives, and refused while a guard holds a lock. It is sent as written, without a check of its worst case. Without arguments, lists the endpoints.",
  args: [
    { name: 'method', optional: true, summary: 'GET, POST, PUT, PATCH or DELETE (default GET)' },
    { name: 'path', optional: true, summary: "path and query, such as '/v1/orders?limit=5'" },
  ],
  options: {
    body: { value: 'JSON', summary: 'JSON body; @FILE reads a file, - standard input' },
  },
  examples: [
    ['perp api /v1/accounts', 'every account'],
    ["perp api '/v1/orders?client_order_id=e1' --jq .data", 'part of an answer'],
    ['perp api PATCH /v1/orders/my-entry-1 --body \'{"price": 60000}\'', 'a write'],
  ],
  async run(console, input) {
    if (input.method === undefined) return listOf(endpoints(console), endpointView);
    const { operation, path, query } = routed(console, input.method, input.path);
    const body = await bodyOf(console, operation, input.body);
    const request = { path, query, body } as unknown as RequestOf<KnownOperationId>;
    return await called(console, operation, request, input.path ?? input.method).catch((error: unknown) => {
      markOfWire(error);
      throw error;
    });
  },
});

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

async function called(console: Console, operation: Operation, request: RequestOf<KnownOperationId>, target: string) {
  const id = operation.id as KnownOperationId;
  if (operation.method === 'GET') return shown((await console.call(id, request)).body);
  return await write(console, id, request, {
    question: `Send ${operation.method} ${target}?`,
    done: ({ body: answer }) => shown(answer),
    ...(operation.responses[202] === undefined
      ? {}
      : { send: sendBulk(console, id as BulkOperationId, 'Sending') as never }),
  });
}

function shown(body: unknown): Result {
  return recordOf(body, () => (JSON.stringify(body, null, 2) ?? 'null').split('\n').map((text) => line(text)));
}

/** The operations available at the current target. A session credential is issued and revoked by login and logout. */
function endpoints({ settings }: Console): Operation[] {
  const own: readonly Operation[] = settings.environment === 'sim' ? Object.values(simulationOperations) : [];
  return [...Object.values<Operation>(operations), ...own].filter(({ path }) => !path.startsWith('/v1/auth/'));
}

const endpointView = {
  fields: ['id', 'method', 'path', 'summary'],
  columns: [
    { header: 'METHOD', cell: ({ method }: Operation) => method },
    { header: 'PATH', cell: ({ path }: Operation) => path },
    { header: 'DOES', cell: ({ summary }: Operation) => summary, keep: 1 },
  ],
  empty: 'There are no endpoints.',
};

/** The called operation, with the values of its path and query. */
function routed(console: Console, first: string, second: string | undefined) {
  const isPath = second === undefined && first.startsWith('/');
  const method = isPath ? 'GET' : first.toUpperCase();
  if (!(methods as readonly string[]).includes(method))
    throw usageFailure(`The method is ${quoted(first)}; it must be one of ${methods.join(', ')}.`);
  const target = isPath ? first : second;
  if (target === undefined) throw usageFailure('The path is missing.', 'For example: perp api GET /v1/accounts');
  const [pathname = '', ...rest] = target.split('?');
  const known = endpoints(console);
  const route = new Router(known).find(method, pathname);
  if (route.operation === null) throw noEndpoint(method, pathname, route.methods, known);
  const { operation, path } = route;
  const parameters = new URLSearchParams(rest.join('?'));
  const unknown = [...parameters.keys()].filter((name) => operation.query?.properties[name] === undefined);
  if (unknown.length > 0) throw unknownParameter(operation, unknown[0]!);
  const query = parseQuery(operation, parameters);
  if (!query.ok) throw invalid(query.issues);
  return { operation, path, query: operation.query === null ? undefined : query.value };
}

function noEndpoint(method: string, pathname: string, allowed: readonly string[], known: readonly Operation[]) {
  if (allowed.length > 0) return usageFailure(`${pathname} takes ${allowed.join(' or ')}, not ${method}.`);
  const near = nearest(pathname, [...new Set(known.map(({ path }) => path))]);
  const hint = near === undefined ? 'perp api lists the endpoints.' : `Did you mean ${near}? perp api lists them all.`;
  return usageFailure(`There is no endpoint ${quoted(pathname)}.`, hint);
}

function unknownParameter({ query }: Operation, name: string) {
  const names = Object.keys(query?.properties ?? {});
  const hint = names.length === 0 ? 'This endpoint takes no query.' : `It takes ${names.join(', ')}.`;
  return usageFailure(`Unknown query parameter ${quoted(name)}.`, hint);
}

async function bodyOf(console: Console, operation: Operation, text: string | undefined): Promise<unknown> {
  if (operation.body === null) {
    if (text === undefined) return undefined;
    throw usageFailure(`${operation.method} ${operation.path} takes no body.`, 'Omit --body.');
  }
  if (text === undefined) throw usageFailure('--body is missing.', `docs/api.md has the body of ${operation.id}.`);
  return jsonGiven(console, text, '--body');
}
