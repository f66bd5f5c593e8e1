import type { FailureFacts } from '../../ground/failure/failure.ts';
import { usageFailure } from '../../ground/failure/failure.ts';
import { factsOf } from '../../ground/failure/report.ts';
import type { GlobalInput } from '../grammar/global-options.ts';
import { kebabCase } from '../grammar/spec.ts';
import type { Settings } from '../settings/settings.ts';
import type { Catalog } from '../tree/catalog.ts';
import type { Chosen, LineReader } from '../tree/command-tree.ts';
import { type Entry, entryOf } from './entry.ts';
import type { NumberedLine } from './lines.ts';

/** A line of a batch, ready to run, or the reason it can't. */
export type Prepared = { line: number; id?: string | number | undefined } & (
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
export function prepare(
  { number: line, ...content }: NumberedLine,
  shared: Settings,
  catalog: Catalog,
  readLine: LineReader,
): Prepared | undefined {
  let entry: Entry | undefined;
  try {
    if ('problem' in content) throw usageFailure(content.problem, 'Each line must be one command, in UTF-8.');
    entry = entryOf(content.text, catalog);
    return entry === undefined
      ? undefined
      : { line, id: entry.id, ...parsed(readLine(entry.words), line, shared, catalog) };
  } catch (error) {
    return { line, id: entry?.id, failure: factsOf(error) };
  }
}

function parsed({ path, input, globals }: Chosen, line: number, shared: Settings, catalog: Catalog) {
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
  const timeoutMs = globals.timeout === undefined ? undefined : Number(globals.timeout) * 1000;
  if (timeoutMs === 0) throw usageFailure('--timeout must be above zero.');
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
