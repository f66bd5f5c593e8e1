/** What the tests with foreign clients have in common. `scripts/foreign.ts` runs them in a temporary folder with their packages. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';

export const run = promisify(execFile);
/** perp as it is built. */
export const root = process.env.PERP_ROOT;
export const perp = join(root, 'bin/perp.js');
/** Where the packages are. */
export const here = import.meta.dirname;
/** A home of their own. */
export const folder = mkdtempSync(join(tmpdir(), 'perp-foreign-'));
const started = [];
after(async () => {
  for (const child of started.reverse()) {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill()) await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});
/** Nothing else: some clients pass nothing else on to what they start. */
export const env = { PATH: process.env.PATH, HOME: folder };

/** Starts a program of Node's that ends with the tests; resolves with what a pattern finds in its output, and with all of it. */
export async function start(pattern, ...words) {
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const said = { text: '' };
  const found = new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said.text += text;
      const match = pattern.exec(said.text);
      if (match !== null) resolve(match[1]);
    });
    child.once('exit', (code) => reject(new Error(`${words[0]} ended with ${code}: ${said.text}`)));
  });
  return { address: await found, said };
}

/** What perp prints. */
export const ran = async (...words) => (await run(process.execPath, [perp, ...words], { env })).stdout;

/** A simulation with one account, served: its address, and a key. */
export async function served() {
  await ran('sim', 'reset', '--accounts', '1', '--yes');
  const ports = ['--port', '0', '--sandbox-port', '0'];
  const { address } = await start(/"base_url":"([^"]+)"/, perp, 'sim', 'serve', ...ports, '-o', 'ndjson');
  return { address, key: JSON.parse(await ran('sim', 'key', 'add', '--json')).api_key };
}
