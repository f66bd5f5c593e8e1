import { setImmediate } from 'node:timers/promises';
import { type ExitCode, exitCodes, type FailureFacts, usageFailure } from '../../../base/failure/failure.ts';
import { factsOf, storeDestination, wireFacts } from '../../../base/failure/report.ts';
import { parsedJson } from '../../../base/terms/json-object.ts';
import type { NumberedLine } from '../../../base/text/lines.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { splitWords } from '../../../desk/values/split.ts';
import type { Console } from '../../console/console.ts';
import type { Chosen, LineReader } from '../../console/grammar/command-line.ts';
import type { GlobalInput } from '../../console/grammar/global-options.ts';
import { type Catalog, type CommandSpec, camelCase, kebabCase } from '../../console/grammar/spec.ts';
import type { Result } from '../../console/output/result.ts';
import { type Settings, timeoutMsOf } from '../../console/settings/settings.ts';
import { destinationOf, withProfile } from '../../console/where.ts';
import { BatchMemory, lineCommand, type Turn } from './line-console.ts';

/** A line of a batch, ready to run, or the reason it can't. */
type Prepared = { line: number; id?: string | number | undefined } & (
  | { path: string; input: Record<string, unknown>; settings: Settings }
  | { failure: FailureFacts }
);

/** Commands that can't be used in a batch: they prompt, run until stopped, or change what the batch depends on. */
const notInBatch = new Set(['batch', 'guard run', 'login', 'logout', 'sim reset', 'sim serve']);

/** Options allowed on a line; the others apply to the whole batch. */
const ownOptions: ReadonlySet<keyof GlobalInput> = new Set([
  'account',
  'dryRun',
  'idempotencyKey',
  'json',
  'new',
  'noColor',
  'output',
  'quiet',
  'timeout',
  'yes',
]);

/** Prepares a line; undefined if it is empty. */
function prepare(
  { number: line, ...content }: NumberedLine,
  shared: Settings,
  catalog: Catalog,
  reader: LineReader,
): Prepared | undefined {
  let given: BatchLine | undefined;
  try {
    if ('problem' in content) throw usageFailure(content.problem, 'Each line must be one command, in UTF-8.');
    given = batchLineOf(content.text, catalog);
    return given === undefined
      ? undefined
      : { line, id: given.id, ...commandOf(reader.read(given.words), line, shared, catalog) };
  } catch (error) {
    return { line, id: given?.id, failure: factsOf(error) };
  }
}

function commandOf({ path, input, globals }: Chosen, line: number, shared: Settings, catalog: Catalog) {
  if (notInBatch.has(path) || path.startsWith('stream '))
    throw usageFailure(`perp ${path} can't be used in a batch.`, 'Run it on its own.');
  if (input.watch === true) throw usageFailure("--watch never ends, so it can't be used in a batch.", 'Omit --watch.');
  if (catalog.spec(path).simulationOnly === true && shared.environment !== 'sim') {
    throw usageFailure(`perp ${path} works only in the simulation, but the environment is ${shared.environment}.`);
  }
  return { path, input, settings: ownSettings(globals, line, shared) };
}

function ownSettings(globals: GlobalInput, line: number, shared: Settings): Settings {
  const stray = (Object.keys(globals) as (keyof GlobalInput)[]).find((name) => !ownOptions.has(name));
  if (stray !== undefined)
    throw usageFailure(
      `--${kebabCase(stray)} applies to the whole batch and can't be set on a line.`,
      `Pass it to perp batch itself.`,
    );
  const { account = shared.account, yes = shared.yes, quiet = shared.quiet } = globals as Partial<Settings>;
  const timeoutMs = globals.timeout === undefined ? undefined : timeoutMsOf(Number(globals.timeout));
  return {
    ...shared,
    account,
    accountFrom: globals.account === undefined ? shared.accountFrom : '--account',
    yes,
    quiet,
    output: 'ndjson',
    timeoutMs: timeoutMs ?? shared.timeoutMs,
    waitMs: timeoutMs ?? shared.waitMs,
    dryRun: shared.dryRun || globals.dryRun === true,
    fresh: shared.fresh || globals.new === true,
    idempotencyKey: (globals.idempotencyKey as string | undefined) ?? lineKey(shared.idempotencyKey, line),
  };
}

/** With a key for the batch, every line has its own key, so running the same batch again repeats nothing. */
function lineKey(key: string | undefined, line: number): string | undefined {
  return key === undefined ? undefined : `${key}-${line}`;
}

/** The result of one line. */
interface LineAnswer {
  line: number;
  id?: string | number | undefined;
  ok: boolean;
  exit: ExitCode;
  data?: unknown;
  error?: unknown;
}

/** The reading, sending and answering of a batch's lines. */
interface BatchOptions {
  /** Whether a line may be kept, but not sent, before the previous one is answered. */
  keepsAhead: boolean;
  /** Ends the batch: no more lines are read, and none gets its turn. */
  over: AbortController;
}

/** Commands that only send: they can be prepared up to sending while another line is running. */
const sendOnly = new Set(['order place', 'positions close', 'twap place', 'scaled place']);

/** Number of lines prepared while one is running. */
const maxAhead = 64;

/** A line that waits for its turn or has had it. */
interface Begun {
  answer: Promise<LineAnswer>;
  /** It only sends, so its turn may come before the answer of the line before it is printed. */
  sendsOnly: boolean;
  /** Its turn has come; with false, it never will. */
  turn(isIts: boolean): void;
}

/**
 * Runs lines one by one and yields each result, which counts as seen when the next one is requested. While it waits for
 * an answer, the next lines are read, prepared and, if they are writes, kept on disk. Their requests are sent in order,
 * each after the previous line is answered. If a line only sends, its request leaves before that answer is yielded.
 *
 *     line 1   ready ─ keep ───── on disk ─ send ········ answer   print
 *     line 2                 ready ─ keep ······················ send ········ answer   print
 *     line 3                        ready ─ keep ····································· send ···
 */
export async function* answers(
  console: Console,
  lines: AsyncGenerator<NumberedLine>,
  { keepsAhead, over }: BatchOptions,
): AsyncGenerator<LineAnswer, void> {
  const memory = new BatchMemory(console);
  const reader = await console.lineReader();
  const begun: Begun[] = [];
  let reading: Promise<void> | undefined;
  let isRead = false;
  const read = async () => {
    if (begun.length > 0) await hasLeft();
    const ready = await readyLine(console, lines, reader);
    if (ready === undefined) isRead = true;
    else begun.push(begin(ready, memory, keepsAhead));
    reading = undefined;
    readOn();
  };
  const readOn = () => {
    if (isRead || over.signal.aborted || reading !== undefined || begun.length >= (keepsAhead ? maxAhead : 1)) return;
    reading = read();
    // Read when there is nothing else to do.
    reading.catch(() => {});
  };
  try {
    for (let hasLeft = false; hasLeft || !over.signal.aborted; ) {
      readOn();
      if (begun.length === 0) await reading;
      const [first] = begun;
      if (first === undefined) return;
      first.turn(true);
      const answer = await first.answer;
      const answered = memory.answered();
      begun.shift();
      hasLeft = begun[0]?.sendsOnly === true && !over.signal.aborted;
      if (hasLeft) begun[0]!.turn(true);
      if (hasLeft) await setImmediate();
      yield answer;
      memory.shown(answered);
    }
  } finally {
    over.abort();
    for (const { turn } of begun) turn(false);
    await Promise.all(begun.map(({ answer }) => answer));
  }
}

function begin(ready: Prepared, memory: BatchMemory, keepsAhead: boolean): Begun {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const sendsOnly = keepsAhead && 'path' in ready && sendOnly.has(ready.path);
  return { answer: answerTo(ready, memory, promise, sendsOnly), sendsOnly, turn: resolve };
}

/** The running line's request is written in the second turn of the event loop from here; nothing must delay it. */
async function hasLeft(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

async function readyLine(
  console: Console,
  lines: AsyncGenerator<NumberedLine>,
  reader: LineReader,
): Promise<Prepared | undefined> {
  while (true) {
    const { value: line, done } = await lines.next();
    if (done === true) return undefined;
    const ready = prepare(line, console.settings, console.registry, reader);
    if (ready !== undefined) return ready;
  }
}

async function answerTo(ready: Prepared, memory: BatchMemory, turn: Turn, sendsOnly: boolean): Promise<LineAnswer> {
  const { line, id } = ready;
  if ('failure' in ready) return { line, id, ok: false, exit: ready.failure.exit, error: wireFacts(ready.failure) };
  const { path, input, settings } = ready;
  const readsFresh = /^(accounts|markets)\b/.test(path);
  const own = lineCommand(memory, { number: line, settings, turn, readsFresh, given: { path, input } });
  const { console } = own;
  try {
    if (!sendsOnly) await own.turn.take();
    if (path.startsWith('pending ')) memory.flush();
    const command = await memory.module(path);
    const result = await command.run(console, input as never);
    const data = await dataOf(withProfile(console, result));
    const exit = result.exit ?? exitCodes.done;
    return { line, id, ok: exit === exitCodes.done, exit, data };
  } catch (error) {
    const diagnosed = await console.memory.diagnosed(error);
    storeDestination(diagnosed, destinationOf(console), console.settings);
    const facts = factsOf(diagnosed);
    return { line, id, ok: false, exit: facts.exit, error: wireFacts(facts) };
  } finally {
    own.answered(path === 'order place');
  }
}

async function dataOf(result: Result): Promise<unknown> {
  if (result.kind === 'list') return Array.fromAsync(result.rows);
  return result.kind === 'record' ? result.record : result.text;
}

/** One command of a batch: the words after `perp`. */
interface BatchLine {
  words: string[];
  /** Given with the command and returned with its answer. */
  id?: string | number | undefined;
}

/**
 * Parses one line: words quoted as in a shell, a JSON array of words, or a JSON object {"command", "args", "id"}.
 * Undefined for blank lines and comments. Throws a usage failure for anything else.
 */
function batchLineOf(line: string, catalog: Catalog): BatchLine | undefined {
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
