import { CommanderError } from 'commander';
import { type ExitCode, exitCodes, usageFailure } from '../../base/failure/failure.ts';
import type { Chosen, LineReader, Missing } from '../console/grammar/command-line.ts';
import type { Catalog } from '../console/grammar/spec.ts';
import { plainPalette } from '../console/output/themes.ts';
import { complete } from './completion/complete.ts';
import type { Runtime } from './run-command.ts';
import { commandTree, MissingInput, type Node } from './tree/command-tree.ts';
import { checkLengths, plainLine } from './tree/plain-line.ts';
import { withRepair } from './tree/repairs.ts';

/** The action for a line: run the command that it names, or ask for missing parts. */
interface Acts {
  run(chosen: Chosen): Promise<ExitCode>;
  /** The words that complete the line; undefined: nobody is there to ask. */
  ask: ((missing: Missing) => Promise<readonly string[]>) | undefined;
}

/** Reads a line with the command tree: runs it, or prints help, the version or completions. */
export async function readWhole(
  argv: readonly string[],
  { registry, outside: { io, variables }, palette }: Runtime,
  { run, ask }: Acts,
): Promise<ExitCode> {
  let exit: ExitCode = exitCodes.done;
  const program = commandTree({
    catalog: registry,
    write: io.out,
    columns: Number.isFinite(io.columns) ? io.columns : 80,
    palette,
    async act(chosen) {
      exit = await run(chosen);
    },
  });
  const parsed = (words: readonly string[]): Promise<unknown> =>
    program.parseAsync(words, { from: 'user' }).catch(async (error: unknown) => {
      if (!(error instanceof MissingInput) || ask === undefined) throw error;
      return program.parseAsync([...words, ...(await ask(error.missing))], { from: 'user' });
    });
  try {
    if (argv[0] === '__complete') io.out(complete(argv.slice(1), program, variables));
    else await parsed(argv);
  } catch (error) {
    // Help or the version was printed.
    if (error instanceof CommanderError) return exitCodes.done;
    throw error;
  }
  return exit;
}

/** Reads lines with a separate tree for each. */
export function readerOf(catalog: Catalog): LineReader {
  return {
    read: lineReader(catalog),
    complete(words, variables) {
      const nothing = () => {};
      const program = commandTree({ catalog, write: nothing, columns: 80, palette: plainPalette, act: nothing });
      return complete(words, program.named(), variables);
    },
  };
}

/** A failure of a line, with the line that it most likely means. */
export function repaired(error: unknown, words: readonly string[], catalog: Catalog): unknown {
  return withRepair(error, words, (line) => reads(line, catalog));
}

/** Reads many command lines in one process, without running them; the tree is made when a line needs it. */
function lineReader(catalog: Catalog): LineReader['read'] {
  let chosen: Chosen | undefined;
  let program: Node | undefined;
  const act = (one: Chosen) => {
    chosen = one;
  };
  return (words) => {
    checkLengths(words);
    const plain = plainLine(words, catalog);
    if (plain !== undefined) return plain;
    program ??= commandTree({ catalog, write: () => {}, columns: 80, palette: plainPalette, act });
    try {
      program.parse(words, { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw repaired(error, words, catalog);
      const what = error.code === 'commander.version' ? 'the version' : 'help';
      throw usageFailure(`A batch runs commands; this line asks for ${what}.`);
    }
    return chosen!;
  };
}

/** Whether a line names a command, and gives what it needs. */
function reads(words: readonly string[], catalog: Catalog): boolean {
  const nothing = () => {};
  try {
    commandTree({ catalog, write: nothing, columns: 80, palette: plainPalette, act: nothing }).parse(words, {
      from: 'user',
    });
    return true;
  } catch {
    return false;
  }
}
