/**
 * Writes the types of perp/client from the contract, as a user reads them: one interface per resource, one method per
 * operation. `--check` only says whether the file is up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownCodes } from '../src/base/failure/failure.ts';
import { isPaged } from '../src/wire/client/pages.ts';
import { errorCodes } from '../src/wire/contract/errors.ts';
import { namedSchemas } from '../src/wire/contract/openapi.ts';
import type { Operation } from '../src/wire/contract/operation.ts';
import { operations } from '../src/wire/contract/operations.ts';
import type { Schema } from '../src/wire/contract/schema.ts';
import { pathNames } from '../src/wire/contract/target.ts';

const file = join(import.meta.dirname, '../src/programs/sdk/client/operations.generated.ts');
const names = new Map<Schema, string>(
  Object.entries(namedSchemas)
    .filter(([name]) => !/Envelope$|Page$|Error$|^TradeRejection$|^ValidationIssue$/.test(name))
    .map(([name, schema]) => [schema, name]),
);
const used = new Set<Schema>();

/** The file's text. */
export function operationTypes(): string {
  const all = Object.values<Operation>(operations);
  const methods = all.map(method).join('\n');
  return `// Written by tools/sdk-operations.ts from src/wire/contract. Do not edit: npm run fix writes it again.
import type { CallOptions, List } from './call-options.ts';

/** The codes of errors: the API's, and perp's own. */
export type KnownCode =
${[...new Set([...Object.keys(errorCodes), ...Object.keys(ownCodes)])]
  .sort()
  .map((code) => `  | '${code}'`)
  .join('\n')};

/** Every operation of the API. A request has the fields of path, query and body together; the answer is its data. */
export interface Operations {
${methods}
}

${declarations()}`;
}

const nothing = 'Record<string, never>';

function isAllOptional({ path, query, body }: Operation): boolean {
  return !path.includes('{') && (body ?? query)?.required === undefined;
}

function method(operation: Operation): string {
  const request = requestOf(operation);
  const isOptional = request === nothing || isAllOptional(operation);
  return `  /** ${operation.summary} \`${operation.method} ${operation.path}\` */
  ${operation.id}(request${isOptional ? '?' : ''}: ${request}, options?: CallOptions): ${answerOf(operation)};`;
}

/** The fields of path, query and body as one type. */
function requestOf(operation: Operation): string {
  const { id, query, body } = operation;
  const inPath = pathNames(operation).map((name) => `${name}: string`);
  // Compared and not sent, because other clients of the API send it.
  if (/\/\{(?:order|position|twap_order|scaled_order)_id\}/.test(operation.path)) inPath.push('account_id?: string');
  const rest = body ?? query;
  if (body !== null && query !== null) throw new Error(`${id} has a query and a body`);
  if (rest === null) return inPath.length === 0 ? nothing : `{ ${inPath.join('; ')} }`;
  const taken = Object.keys(rest.properties).filter((name) => pathNames(operation).includes(name));
  if (taken.length > 0) throw new Error(`${id} has ${taken} twice`);
  const name = names.get(rest);
  if (name !== undefined) used.add(rest);
  const fields = name ?? typeOf(rest, 2);
  return inPath.length === 0 ? fields : `{ ${inPath.join('; ')} } & ${fields}`;
}

function successOf({ responses }: Operation): Schema {
  return (responses[200] ?? responses[201] ?? responses[202])!.schema;
}

function dataOf(operation: Operation): string {
  const { properties = {} } = successOf(operation);
  return properties.data === undefined ? typeOf(successOf(operation), 2) : typeOf(properties.data, 2);
}

function answerOf(operation: Operation): string {
  if (!isPaged(operation)) return `Promise<${dataOf(operation)}>`;
  return `List<${typeOf(successOf(operation).properties!.data!.items!, 2)}>`;
}

/** The named types that were used, and those that they use. */
function declarations(): string {
  const written = new Map<Schema, string>();
  for (let more = true; more; ) {
    more = false;
    for (const [schema, name] of names) {
      if (!used.has(schema) || written.has(schema)) continue;
      written.set(schema, `/** ${described(name)} */\nexport interface ${name} ${shape(schema, 0)}`);
      more = true;
    }
  }
  return `${[...names.keys()].flatMap((schema) => written.get(schema) ?? []).join('\n\n')}\n`;
}

function described(name: string): string {
  const source = readFileSync(join(import.meta.dirname, '../src/wire/contract/openapi.ts'), 'utf8');
  const room = new RegExp(`${name}: (\\w+)\\.`).exec(source)![1]!;
  const text = readFileSync(join(import.meta.dirname, `../src/wire/contract/${room}.ts`), 'utf8');
  const doc = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport const ${name}\\b`).exec(text)?.[1];
  if (doc === undefined) throw new Error(`${name} has no sentence in src/wire/contract/${room}.ts`);
  return uncited(doc.replaceAll(/\n \*/g, '')).trim();
}

function typeOf(schema: Schema, depth: number): string {
  const name = names.get(schema);
  if (name !== undefined) {
    used.add(schema);
    return name;
  }
  if (schema.oneOf !== undefined) return schema.oneOf.map((one) => typeOf(one, depth)).join(' | ');
  if (schema.enum !== undefined) return schema.enum.map((one) => `'${one}'`).join(' | ');
  if (schema.const !== undefined) return typeof schema.const === 'string' ? `'${schema.const}'` : String(schema.const);
  const { type } = schema;
  if (typeof type === 'object') return type.map((one) => typeOf({ ...schema, type: one }, depth)).join(' | ');
  if (type === 'array') {
    const item = typeOf(schema.items!, depth);
    return /[|&]/.test(item.replaceAll(/\{[\s\S]*\}/g, '')) ? `(${item})[]` : `${item}[]`;
  }
  if (type === 'object') return shape(schema, depth);
  return type === 'integer' ? 'number' : String(type);
}

function shape({ properties, required = [], additionalProperties }: Schema, depth: number): string {
  if (properties === undefined)
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, depth) : 'unknown'}>`;
  const pad = ' '.repeat(depth + 2);
  const fields = Object.entries(properties).map(([name, field]) => {
    const isNeeded = required.includes(name);
    const doc = field.description === undefined ? '' : `${pad}/** ${uncited(field.description)} */\n`;
    return `${doc}${pad}${name}${isNeeded ? '' : '?'}: ${typeOf(field, depth + 2)}${isNeeded ? '' : ' | undefined'};`;
  });
  return `{\n${fields.join('\n')}\n${' '.repeat(depth)}}`;
}

/** Without the sections that our own documents cite. */
function uncited(text: string): string {
  return text.replaceAll(/ \((?:simulation|API)[^)]*\)/g, '');
}

if (import.meta.main) {
  const text = operationTypes();
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error('src/programs/sdk/client/operations.generated.ts is not what the contract says. Run: npm run fix');
    process.exitCode = 1;
  }
}
