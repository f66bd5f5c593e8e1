/**
 * Prints the figures quoted in the README. `npm run bench` runs all suites, `npm run bench -- engine http` some of
 * them.
 */
import { printFigures } from './measure.ts';

const suites: Record<string, () => Promise<{ default?: never } & Record<string, unknown>>> = {
  startup: () => import('./startup.ts'),
  engine: () => import('./engine.ts'),
  http: () => import('./http.ts'),
  batch: () => import('./batch.ts'),
  pages: () => import('./pages.ts'),
  pnl: () => import('./pnl.ts'),
  catchup: () => import('./catchup.ts'),
  markets: () => import('./markets.ts'),
  replay: () => import('./replay.ts'),
  charts: () => import('./charts.ts'),
  streams: () => import('./streams.ts'),
  live: () => import('./live.ts'),
  liveSpeed: () => import('./live-speed.ts'),
  watch: () => import('./watch.ts'),
};

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(suites)) {
  const load = suites[name];
  if (!load) throw new Error(`There is no suite ${name}; suites: ${Object.keys(suites).join(', ')}`);
  const suite = (await load()) as Record<string, () => Promise<Parameters<typeof printFigures>[0]>>;
  printFigures(await suite[name]!());
}
