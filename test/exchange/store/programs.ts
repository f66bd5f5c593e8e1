import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const pathOf = (program: string) => fileURLToPath(new URL(`programs/${program}.ts`, import.meta.url));

/** A separate process that runs a program. */
interface Started {
  child: ChildProcess;
  /** Its standard output, line by line. */
  lines: AsyncIterable<string>;
  /** What it has written to standard error so far. */
  errors(): string;
}

/** Runs `programs/NAME.ts` on a state. */
export function start(program: string, ...parameters: string[]): Started {
  const child = spawn(process.execPath, [pathOf(program), ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return { child, lines: createInterface({ input: child.stdout! }), errors: () => errors };
}

/** Runs several at once; returns what each printed, after all have exited with 0. */
export async function runTogether(programs: [program: string, ...parameters: string[]][]): Promise<string[][]> {
  return Promise.all(
    programs.map(async ([program, ...parameters]) => {
      const { child, lines, errors } = start(program, ...parameters);
      const ended = once(child, 'close');
      const printed: string[] = [];
      for await (const line of lines) printed.push(line);
      const [code] = await ended;
      if (code !== 0) throw new Error(`${program} ended with ${code}: ${[...printed, errors()].join('\n')}`);
      return printed;
    }),
  );
}

/** Opens a state and writes to it with an ordinary user's rights (root may write anything); returns the error. */
export function runAsOrdinaryUser(file: string): { kind: string; message: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [pathOf('open-and-write'), file], { encoding: 'utf8' });
  if (!stdout) throw new Error(`no answer: ${stderr}`);
  return JSON.parse(stdout) as { kind: string; message: string };
}
