/**
 * Runs one command from the sources, as the executable would: each file is loaded when it is needed, and the service
 * runs in this process. Prints, as JSON, how many of our files have a named function that ran, and how many such
 * functions ran. A function without a name counts as a part of the one around it, and so does the text of a file.
 *
 *     node count-functions.ts PATH WORD...
 */
import { globSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from '../../../../../src/terminal/console/console.ts';

const source = join(import.meta.dirname, '../../../../../src');
const [path = '', ...words] = process.argv.slice(2);

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const { main } = await import('../../../../../src/terminal/cli/main.ts');
const { processIo } = await import('../../../../../src/terminal/console/terminal/io.ts');
const folder = join(source, 'terminal/cli/commands');
const files = globSync('**/*.ts', { cwd: folder }).map((file) => file.replace(/\.ts$/, '').split(sep).join(' '));
// A noun's file, which has several commands, stays unread.
const paths = files.filter((one) => !files.some((other) => other.startsWith(`${one} `)));
const load = async (of: string): Promise<Command> =>
  (await import(join(folder, `${of.replaceAll(' ', '/')}.ts`))).command;
const command = await load(path);
const unasked = async () => {
  throw new Error('asked');
};
const exit = await main(
  [...path.split(' '), ...words],
  { version: '0.0.0', commit: null, summaries: new Map(paths.map((one) => [one, ''])), spec: () => command, load },
  {
    // Its streams are asked only for what the command asks.
    io: Object.assign(processIo({}), { out: () => {} }),
    variables: process.env,
    now: Date.now,
    beginning: { seed: 1, startTime: Date.UTC(2026, 5, 10, 14, 20) },
    prompts: { confirm: unasked, secret: unasked, choose: unasked, line: unasked },
  },
);

const { result } = await session.post('Profiler.takePreciseCoverage');
const own = pathToFileURL(source).href;
const ran = result
  .filter(({ url }) => url.startsWith(`${own}/`))
  .map(({ functions }) => functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0))
  .filter(({ length }) => length > 0);
process.stdout.write(JSON.stringify({ exit, files: ran.length, functions: ran.flat().length }));
