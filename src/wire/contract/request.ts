import { isJsonObject } from '../../base/terms/json-object.ts';
import type { ValidationIssue } from './errors.ts';
import { parseJson, type Reading } from './json.ts';
import type { Operation } from './operation.ts';
import type { Read, Schema } from './schema.ts';
import { validate, withDefaults } from './validate.ts';

/**
 * Every invalid field of a body: violations of its schema and of the rules between its fields, one issue per field. The
 * service refuses a request with these; a client can check them before sending.
 */
export function bodyIssues(operation: Operation, body: unknown): ValidationIssue[] {
  return operation.body === null ? [] : partIssues(operation.body, operation.bodyRule, body);
}

/** Every invalid parameter of a query of typed values, as a client passes it. */
export function queryIssues(operation: Operation, query: unknown): ValidationIssue[] {
  return operation.query === null ? [] : partIssues(operation.query, operation.queryRule, query);
}

/**
 * Reads the body of a request from its JSON text: strict JSON, validated, with defaults filled in, plus the original
 * value.
 */
export function readBody<O extends Operation>(
  operation: O,
  text: string,
):
  | (Extract<Reading<Read<O['body']>>, { ok: true }> & { readonly sent: unknown })
  | Extract<Reading<never>, { ok: false }> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  const issues = bodyIssues(operation, parsed.value);
  if (issues.length > 0) return { ok: false, issues };
  return {
    ok: true,
    value: (operation.body === null ? null : withDefaults(operation.body, parsed.value)) as Read<O['body']>,
    sent: parsed.value,
  };
}

/**
 * Reads the query of a request: text is converted to the schema's types (numbers as in JSON: 0.5, 1e-7), with defaults
 * filled in. A repeated parameter is an issue; an unknown one is ignored.
 */
export function parseQuery<O extends Operation>(operation: O, parameters: URLSearchParams): Reading<Read<O['query']>> {
  const issues: ValidationIssue[] = [];
  const query: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(operation.query?.properties ?? {})) {
    const [text, ...more] = parameters.getAll(name);
    if (text === undefined) continue;
    query[name] = typed(schema, text);
    if (more.length > 0) issues.push({ field: name, issue: 'is given more than once' });
  }
  const all = oneEach([...issues, ...queryIssues(operation, query)]);
  if (all.length > 0) return { ok: false, issues: all };
  return {
    ok: true,
    value: (operation.query === null ? null : withDefaults(operation.query, query)) as Read<O['query']>,
  };
}

/** The issues of an Idempotency-Key, which must be 1 to 128 characters of printable ASCII (API 5). */
export function idempotencyKeyIssues(key: string | undefined): ValidationIssue[] {
  const field = 'Idempotency-Key';
  if (key === undefined || key === '') return [{ field, issue: 'is required' }];
  if (key.length > 128) return [{ field, issue: 'must have at most 128 characters' }];
  return /^[\x20-\x7e]+$/.test(key) ? [] : [{ field, issue: 'must be printable ASCII' }];
}

function partIssues(schema: Schema, rule: Operation['bodyRule'], value: unknown): ValidationIssue[] {
  const issues = validate(schema, value);
  const between = rule !== null && isJsonObject(value) ? rule(value) : [];
  return between.length === 0 ? oneEach(issues) : oneEach([...issues, ...between]);
}

/** Keeps the first issue of each field: an invalid price matters more than an order type that takes no price. */
function oneEach(issues: ValidationIssue[]): ValidationIssue[] {
  if (issues.length === 0) return issues;
  const byField = new Map<string, ValidationIssue>();
  for (const issue of issues) if (!byField.has(issue.field)) byField.set(issue.field, issue);
  return [...byField.values()];
}

/** Text that can't be read as its schema's type stays text, and validation reports it. */
function typed(schema: Schema, text: string): unknown {
  const isNumeric = schema.type === 'number' || schema.type === 'integer';
  if (isNumeric && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text);
  return text;
}
