import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from '../../../src/wire/contract/schema.ts';

/**
 * The contract's schemas are JSON Schema (2020-12), so Ajv checks them without our validator. Formats are annotations
 * only.
 */
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
  ownProperties: true,
  validateFormats: false,
});

/** The result of Ajv for a value. */
export interface Opinion {
  /** Wire names of everything that it refuses, in every branch of a union; empty if the value is valid. */
  readonly fields: ReadonlySet<string>;
  /** A union was refused: the fields are those of all its branches. */
  readonly isOfUnion: boolean;
}

const compiled = new WeakMap<Schema, ValidateFunction>();

/** Validates a value that was parsed from JSON. */
export function ajvOpinion(schema: Schema, value: unknown): Opinion {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  const errors = validate(value) ? [] : validate.errors!.filter(({ keyword }) => keyword !== 'if');
  return {
    fields: new Set(errors.filter(({ keyword }) => keyword !== 'oneOf').map((error) => fieldOf(value, error))),
    isOfUnion: errors.some(({ keyword }) => keyword === 'oneOf'),
  };
}

/** `/operations/0` with a missing `price` is `operations[0].price` on the wire. */
function fieldOf(value: unknown, { instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  let at = value;
  let field: string | undefined;
  const steps = instancePath.split('/').slice(1);
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  for (const name of [...names, missingProperty ?? additionalProperty]) {
    if (name === undefined) continue;
    if (Array.isArray(at)) field = `${field ?? ''}[${name}]`;
    else field = field === undefined ? name : `${field}.${name}`;
    at = (at as Record<string, unknown>)[name];
  }
  return field ?? 'body';
}
