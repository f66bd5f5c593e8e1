/**
 * Whole processes against `node -e 0` on the same Node, in turn (A B A B ...), medians: what a person waits for and a
 * script pays. The compile cache is warm after the first, uncounted run, as it is from a user's second command on.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Figure, median } from './measure.ts';

const perp = resolve(import.meta.dirname, '../bin/perp.js');
const rounds = 15;

const commands: { name: string; args: string[]; atMost: number }[] = [
  { name: 'perp --help', args: ['--help'], atMost: 2 },
  { name: 'perp quote BTC --json (in process)', args: ['quote', 'BTC', '--json'], atMost: 3 },
];

/** Ratios of whole-process wall time, and the peak memory of a quote. */
export async function startup(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perp-bench-'));
  const env = {
    ...process.env,
    PERP_STATE_DIR: join(folder, 'state'),
    PERP_CONFIG_DIR: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
  try {
    const figures = commands.map(({ name, args, atMost }): Figure => {
      const perpMs: number[] = [];
      const bareMs: number[] = [];
      for (let round = -2; round < rounds; round++) {
        const bare = wallMs(['-e', '0'], env);
        const own = wallMs([perp, ...args], env);
        if (round < 0) continue;
        bareMs.push(bare);
        perpMs.push(own);
      }
      const ratio = median(perpMs.map((own, index) => own / bareMs[index]!));
      return {
        name: `${name} / node -e 0`,
        value: ratio,
        unit: 'x',
        target: { atMost },
        note: `${median(perpMs).toFixed(0)} ms / ${median(bareMs).toFixed(0)} ms`,
      };
    });
    return [
      ...figures,
      {
        name: 'perp quote BTC --json, peak memory',
        value: peakMebibytes(folder, env),
        unit: 'MiB',
        target: { atMost: 90 },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function wallMs(args: string[], env: NodeJS.ProcessEnv): number {
  const start = performance.now();
  const run = spawnSync(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
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
  wallMs(['--require', hook, perp, 'quote', 'BTC', '--json'], env);
  return Number(readFileSync(out, 'utf8')) / 1024;
}
