/**
 * Whole processes against `node -e 0` on the same Node, alternating (A B A B ...), medians: the time that a person or a
 * script waits. The compile cache is warm after the first run, which is not counted, just as it is from a user's second
 * command on.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executableFolder, ownRuntime } from '../scripts/executables.ts';
import { type Figure, median } from './measure.ts';
import { benchFolder, executable, type Served, served } from './served.ts';

const rounds = 15;

interface Measured {
  name: string;
  args: string[];
  atMost: number;
}

const local: Measured[] = [
  { name: 'perp --help', args: ['--help'], atMost: 1.5 },
  { name: 'perp quote BTC --json (in process)', args: ['quote', 'BTC', '--json'], atMost: 2.7 },
  { name: 'perp __complete quote (TAB)', args: ['__complete', 'quote', ''], atMost: 1.5 },
];

/** The account's id is given, as in a script; markets and accounts are cached from the first run. */
const remote = ({ accountId }: Served): Measured => ({
  name: 'perp order place over loopback',
  args: ['order', 'place', 'BTC', 'buy', '0.001', '--account', accountId, '--yes', '--json'],
  atMost: 4.5,
});

/** Ratios of whole-process wall time, and the peak memory of a quote. */
export async function startup(): Promise<Figure[]> {
  const { folder, env, remove } = benchFolder();
  const service = await served();
  const atService = { ...service.env, PERP_ENV: 'live', PERP_BASE_URL: service.url, PERP_API_KEY: service.key };
  try {
    const figures = local.map((measured) => ratioOf(measured, env, copyOfNode));
    const peak: Figure = {
      isQuoted: true,
      name: 'perp quote BTC --json, peak memory',
      value: peakMebibytes(folder, env),
      unit: 'MiB',
    };
    return [...figures, ratioOf(remote(service), atService, copyOfNode), { ...peak, target: { atMost: 90 } }];
  } finally {
    await service.stop();
    remove();
  }
}

/**
 * The same for perp as one file, against the runtime that is in it; and its first start, which has no compiled code
 * yet.
 */
export async function oneFile(): Promise<Figure[]> {
  const { env, remove } = benchFolder();
  const work = mkdtempSync(join(tmpdir(), 'perp-bench-'));
  try {
    const file = join(executableFolder(`${process.platform}-${process.arch}`, work), 'perp');
    const copy = { words: [file], bare: [join(ownRuntime(work), 'bin/node'), '-e', '0'] };
    const bars = [1.2, 2.3];
    const [help, quote] = bars.map((atMost, at) => ({ ...local[at]!, name: `one file: ${local[at]!.name}`, atMost }));
    const first = { ...quote!, name: 'one file: first quote / later ones', atMost: 2 };
    const later = { words: [file], bare: [file, ...quote!.args] };
    const empty = () => rmSync(env.XDG_CACHE_HOME!, { recursive: true, force: true });
    return [ratioOf(help!, env, copy), ratioOf(quote!, env, copy), ratioOf(first, env, later, empty)];
  } finally {
    rmSync(work, { recursive: true });
    remove();
  }
}

/** How a copy of perp is started, and what the time is compared with. */
interface Copy {
  readonly words: readonly string[];
  readonly bare: readonly string[];
}

const copyOfNode: Copy = { words: [process.execPath, executable], bare: [process.execPath, '-e', '0'] };

function ratioOf({ name, args, atMost }: Measured, env: NodeJS.ProcessEnv, copy: Copy, before = () => {}): Figure {
  const perpMs: number[] = [];
  const bareMs: number[] = [];
  for (let round = -2; round < rounds; round++) {
    const bare = wallMs(copy.bare, env);
    before();
    const own = wallMs([...copy.words, ...args], env);
    if (round < 0) continue;
    bareMs.push(bare);
    perpMs.push(own);
  }
  return {
    isQuoted: true,
    name: name.includes(' / ') ? name : `${name} / node -e 0`,
    value: median(perpMs.map((own, index) => own / bareMs[index]!)),
    unit: 'x',
    target: { atMost },
    note: `${median(perpMs).toFixed(0)} ms / ${median(bareMs).toFixed(0)} ms`,
  };
}

function wallMs([program, ...args]: readonly string[], env: NodeJS.ProcessEnv): number {
  const start = performance.now();
  const run = spawnSync(program!, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ms = performance.now() - start;
  if (run.status !== 0) throw new Error(`${args.join(' ')} ended with ${run.status}: ${run.stderr}`);
  return ms;
}

function peakMebibytes(folder: string, env: NodeJS.ProcessEnv): number {
  const hook = join(folder, 'peak.cjs');
  const out = join(folder, 'peak.txt');
  writeFileSync(
    hook,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(out)}, String(process.resourceUsage().maxRSS)));`,
  );
  wallMs([process.execPath, '--require', hook, executable, 'quote', 'BTC', '--json'], env);
  return Number(readFileSync(out, 'utf8')) / 1024;
}
