import { usageFailure } from '../../../base/failure/failure.ts';
import { parsedJson } from '../../../base/terms/json-object.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { splitWords } from '../../../desk/values/split.ts';
import { type Catalog, type CommandSpec, camelCase } from '../../console/grammar/spec.ts';

/** One command of a batch: the words after `perp`. */
export interface BatchLine {
  words: string[];
  /** Given with the command and returned with its answer. */
  id?: string | number | undefined;
}

/**
 * Parses one line: words quoted as in a shell, a JSON array of words, or a JSON object {"command", "args", "id"}.
 * Undefined for blank lines and comments. Throws a usage failure for anything else.
 */
export function batchLineOf(line: string, catalog: Catalog): BatchLine | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return undefined;
  if (text.startsWith('[')) return { words: withoutProgram(wordsOf(parsed(text))) };
  if (text.startsWith('{')) return batchLineOfObject(parsed(text) as Record<string, unknown>, catalog);
  return { words: withoutProgram(splitWords(text)) };
}

function batchLineOfObject({ command, args, id, ...others }: Record<string, unknown>, catalog: Catalog): BatchLine {
  const [stray] = Object.keys(others);
  if (stray !== undefined)
    throw usageFailure(`Unknown field ${quoted(stray)}; a command has "command", "args" and "id".`);
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw usageFailure('"id" must be text or a number.');
  const words = withoutProgram(typeof command === 'string' ? splitWords(command) : wordsOf(command));
  return { words: [...words, ...argumentWords(words, args, catalog)], ...(id === undefined ? {} : { id }) };
}

/** Named arguments and options as words: `{"market": "BTC", "limit_price": 61000}`. */
function argumentWords(words: readonly string[], args: unknown, catalog: Catalog): string[] {
  if (args === undefined) return [];
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw usageFailure('"args" must be an object of arguments and options.');
  const path = words.join(' ');
  if (!catalog.summaries.has(path))
    throw usageFailure(`With "args", "command" must contain only the command, not ${quoted(path)}.`);
  const spec = catalog.spec(path);
  const given = new Map(
    Object.entries(args).map(([name, value]) => [
      camelCase(name.replaceAll('_', '-')),
      { name, value: value as unknown },
    ]),
  );
  const positional = (spec.args ?? []).flatMap(({ name }) => {
    const value = given.get(name)?.value;
    given.delete(name);
    return value === undefined ? [] : valueWords(name, value);
  });
  const options = [...given].flatMap(([name, { name: written, value }]) => optionWords(name, written, value, spec));
  return [...options, ...(positional.length > 0 ? ['--', ...positional] : [])];
}

function optionWords(camel: string, written: string, value: unknown, spec: CommandSpec): string[] {
  const option =
    Object.keys(spec.options ?? {}).find((name) => camelCase(name) === camel) ?? written.replaceAll('_', '-');
  if (value === false) return [];
  if (value === true) return [`--${option}`];
  return valueWords(written, value).map((word) => `--${option}=${word}`);
}

function valueWords(name: string, value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => {
    if (typeof one === 'string' || typeof one === 'number') return String(one);
    throw usageFailure(`${quoted(name)} must be text, a number, true or false, or a list of these.`);
  });
}

function wordsOf(value: unknown): string[] {
  const isWord = (word: unknown) => typeof word === 'string' || typeof word === 'number';
  if (Array.isArray(value) && value.length > 0 && value.every(isWord)) return value.map(String);
  throw usageFailure('A command must be text, or a list of words such as ["order", "show", "my-entry-1"].');
}

/** A line copied from a shell starts with `perp`. */
function withoutProgram(words: string[]): string[] {
  return words[0] === 'perp' ? words.slice(1) : words;
}

function parsed(text: string): unknown {
  try {
    return parsedJson(text);
  } catch (error) {
    throw usageFailure(`The line is not JSON: ${(error as Error).message}`);
  }
}
