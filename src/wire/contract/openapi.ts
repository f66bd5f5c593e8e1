import * as accounts from './accounts.ts';
import * as errors from './errors.ts';
import * as markets from './markets.ts';
import { type Operation, type Response, type ResponseHeader, sharedRefusals } from './operation.ts';
import { operations } from './operations.ts';
import * as orders from './orders.ts';
import * as positions from './positions.ts';
import type { Schema } from './schema.ts';
import * as strategies from './strategies.ts';
import { pathNames } from './target.ts';

type Json = Record<string, unknown>;

/** The schemas that the document names; all others are inlined where they are used. */
export const namedSchemas = {
  CopyTradingGroupInput: accounts.CopyTradingGroupInput,
  CopyTradingConfiguration: accounts.CopyTradingConfiguration,
  CopyTradingWriteResponse: accounts.CopyTradingWriteResponse,
  AccountTradingPolicy: accounts.AccountTradingPolicy,
  TradingPolicySlippage: accounts.TradingPolicySlippage,
  TradingPolicyHalt: accounts.TradingPolicyHalt,
  TradingPolicyCompetition: accounts.TradingPolicyCompetition,
  TradingPolicyCopyStop: accounts.TradingPolicyCopyStop,
  TradingPolicyRestriction: accounts.TradingPolicyRestriction,
  Account: accounts.Account,
  AccountRisk: accounts.AccountRisk,
  CancelAllOrdersEnvelope: accounts.CancelAllOrdersEnvelope,
  CancelAllOrdersOperation: accounts.CancelAllOrdersOperation,
  CloseAllPositionsEnvelope: accounts.CloseAllPositionsEnvelope,
  CloseAllPositionsOperation: accounts.CloseAllPositionsOperation,
  Market: markets.Market,
  Quote: markets.Quote,
  Position: positions.Position,
  Order: orders.Order,
  OrderPage: orders.OrderPage,
  CreateOrderRequest: orders.CreateOrderRequest,
  OrderEnvelope: orders.OrderEnvelope,
  ClosePositionRequest: positions.ClosePositionRequest,
  ExitOrderBatchRequest: positions.ExitOrderBatchRequest,
  CreateTwapOrderRequest: strategies.CreateTwapOrderRequest,
  TwapOrder: strategies.TwapOrder,
  TwapOrderEnvelope: strategies.TwapOrderEnvelope,
  CreateScaledOrderRequest: strategies.CreateScaledOrderRequest,
  ScaledOrder: strategies.ScaledOrder,
  ScaledOrderEnvelope: strategies.ScaledOrderEnvelope,
  ValidationIssue: errors.ValidationIssue,
  Error: errors.WireError,
  ErrorEnvelope: errors.ErrorEnvelope,
  TradeRejection: errors.TradeRejection,
  TradeRejectionEnvelope: errors.TradeRejectionEnvelope,
} as const satisfies Record<string, Schema>;

const headers: Readonly<Record<ResponseHeader, Json>> = {
  'X-Request-Id': { schema: { type: 'string', format: 'uuid' } },
  'Retry-After': { schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': { schema: { type: 'string' } },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 128 },
};

/** The OpenAPI 3.1 document of the API, generated from its operations; it only needs the servers' addresses. */
export function openApiDocument(servers: { readonly baseUrl: string; readonly sandboxUrl: string }): Json {
  const paths: Record<string, Json> = {};
  for (const operation of Object.values<Operation>(operations)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Challenge Trading API', version: '1.0.0' },
    servers: [
      { url: '{base_url}', variables: { base_url: { default: servers.baseUrl } } },
      { url: '{sandbox_url}', variables: { sandbox_url: { default: servers.sandboxUrl } } },
    ],
    security: [{ bearerAuth: [] }],
    paths,
    components: {
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
      responses: Object.fromEntries(
        Object.values(sharedRefusals).map((refusal) => [refusal.description, answer(refusal)]),
      ),
      schemas: Object.fromEntries(Object.entries(namedSchemas).map(([name, schema]) => [name, expanded(schema)])),
    },
  };
}

function operationObject(operation: Operation): Json {
  const parameters = [...pathParameters(operation), ...queryParameters(operation)];
  if (operation.idempotent) parameters.push(idempotencyKey);
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.auth === 'required' ? {} : { security: [] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body ? { requestBody: { required: true, ...jsonContent(operation.body) } } : {}),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [status, referredAnswer(response)]),
    ),
  };
}

function pathParameters(operation: Operation): Json[] {
  return pathNames(operation).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParameters({ query, simulationQuery }: Operation): Json[] {
  return Object.entries(query?.properties ?? {})
    .filter(([name]) => !simulationQuery.includes(name))
    .map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      required: query?.required?.includes(name) ?? false,
      schema,
    }));
}

const shared: ReadonlySet<Response> = new Set(Object.values(sharedRefusals));

function referredAnswer(response: Response): Json {
  return shared.has(response) ? { $ref: `#/components/responses/${response.description}` } : answer(response);
}

function answer(response: Response): Json {
  const named = Object.fromEntries(response.headers.map((name) => [name, headers[name]]));
  return {
    description: response.description,
    ...(response.headers.length > 0 ? { headers: named } : {}),
    ...jsonContent(response.schema),
  };
}

function jsonContent(schema: Schema): Json {
  return { content: { 'application/json': { schema: referred(schema) } } };
}

const names: ReadonlyMap<Schema, string> = new Map(
  Object.entries(namedSchemas).map(([name, schema]) => [schema, name]),
);

function referred(schema: Schema): Json {
  const name = names.get(schema);
  return name === undefined ? expanded(schema) : { $ref: `#/components/schemas/${name}` };
}

/** The schema itself, with references to the named schemas inside it. */
function expanded(schema: Schema): Json {
  const { items, properties, additionalProperties, oneOf, ...plain } = schema;
  return {
    ...plain,
    ...(items ? { items: referred(items) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(referred) } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, referred(each)])) }
      : {}),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object' ? referred(additionalProperties) : additionalProperties,
        }),
  };
}
