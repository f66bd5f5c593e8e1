/**
 * `npm run bench` runs all suites, prints their figures, and writes the quoted ones into docs/performance.md and the
 * README; `npm run bench -- engine http` only runs and prints some of them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, printFigures } from './measure.ts';
import { withFigures } from './performance.ts';

const suites: Record<string, () => Promise<{ default?: never } & Record<string, unknown>>> = {
  startup: () => import('./startup.ts'),
  oneFile: () => import('./startup.ts'),
  mcp: () => import('./mcp.ts'),
  engine: () => import('./engine.ts'),
  http: () => import('./http.ts'),
  scale: () => import('./scale.ts'),
  gate: () => import('./gate.ts'),
  batch: () => import('./batch.ts'),
  pages: () => import('./pages.ts'),
  pnl: () => import('./pnl.ts'),
  odds: () => import('./odds.ts'),
  breach: () => import('./breach.ts'),
  catchup: () => import('./catchup.ts'),
  markets: () => import('./markets.ts'),
  replay: () => import('./replay.ts'),
  charts: () => import('./charts.ts'),
  streams: () => import('./streams.ts'),
  live: () => import('./live.ts'),
  liveSpeed: () => import('./live-speed.ts'),
  liveCost: () => import('./live-cost.ts'),
  watch: () => import('./watch.ts'),
  cockpit: () => import('./cockpit.ts'),
  strategy: () => import('./strategy.ts'),
  lab: () => import('./lab.ts'),
};

const wanted = process.argv.slice(2);
const printed: Figure[] = [];
const startedAt = performance.now();
for (const name of wanted.length > 0 ? wanted : Object.keys(suites)) {
  const load = suites[name];
  if (!load) throw new Error(`There is no suite ${name}; suites: ${Object.keys(suites).join(', ')}`);
  const suite = (await load()) as Record<string, () => Promise<readonly Figure[]>>;
  const figures = await suite[name]!();
  printFigures(figures);
  printed.push(...figures);
}
console.log(`${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`);
if (wanted.length === 0) {
  for (const name of ['README.md', 'docs/performance.md']) {
    const page = join(import.meta.dirname, '..', name);
    writeFileSync(page, withFigures(readFileSync(page, 'utf8'), printed, new Date(), name === 'README.md'));
  }
}
