import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commands, type Run } from '../cli/practice.ts';
import {
  elsewhere,
  type Line,
  reads,
  refusedWrites,
  settings,
  simulationReads,
  simulationWrites,
  streams,
  type World,
  worldOf,
  writes,
} from './where-worlds.ts';

/** What a run must say, in the format it was asked for; the problems found. */
function problemsOf(world: World, what: string, run: Run, says: string): string[] {
  const problems: string[] = [];
  if (!says.includes(world.name.replace(/ acc_\w+ .*$/, '')))
    problems.push(`${what}: not named in ${JSON.stringify(says)}`);
  const all = `${run.out}${run.err}${world.desk.questions.splice(0).join('\n')}`;
  for (const wrong of ['SIM default', 'SIM one', 'SIM two', 'SIM other', 'SANDBOX', 'LIVE '])
    if (!world.shown.includes(wrong) && all.includes(wrong)) problems.push(`${what}: says ${wrong}: ${all}`);
  // JSON and CSV have the words of the API.
  if (world.isSimulation && /table|terminal/.test(what) && /\blive\b(?! books)/i.test(all))
    problems.push(`${what}: calls a simulation live: ${all}`);
  return problems;
}

const formats = ['table', 'json', 'ndjson', 'csv', 'terminal', 'quiet'] as const;

async function runAs(world: World, format: (typeof formats)[number], line: string): Promise<Run> {
  const words = line.split(' ');
  if (format === 'terminal') return world.perp(words, { terminal: true, answer: true, columns: 100 });
  const variables = { PERP_OUTPUT: format === 'quiet' ? 'json' : format };
  return world.perp([...words, ...(format === 'quiet' ? ['-q'] : []), '--yes'], { variables });
}

/** A write in one format: what of it must carry the name. */
async function tryWrite(world: World, format: (typeof formats)[number], what: string, line: string): Promise<string[]> {
  world.desk.questions.splice(0);
  const run = await runAs(world, format, line);
  if (run.exit !== 0) return [`${what}: exit ${run.exit}: ${run.err}`];
  const problems: string[] = [];
  const isLive = world.name.startsWith('LIVE');
  if (format === 'json' || format === 'quiet' || format === 'ndjson') {
    const record = run.json;
    for (const one of Array.isArray(record) ? record : [record])
      if (!isNamed(world, one.computed?.destination))
        problems.push(`${what}: computed ${JSON.stringify(one.computed)}`);
    if (format === 'quiet' && run.err.includes(world.shown) !== isLive) problems.push(`${what}: with -q: ${run.err}`);
  }
  if (format === 'csv') {
    const header = run.out.split('\n')[0]!.split(',');
    if (!header.includes('computed.destination')) problems.push(`${what}: columns ${header}`);
  }
  const questions = world.desk.questions.join('\n');
  if (format === 'terminal' && !line.startsWith('sim ') && !questions.includes(world.shown))
    problems.push(`${what}: question ${questions}`);
  const says = format === 'table' || format === 'terminal' ? run.out.trimEnd().split('\n').at(-1)! : run.out + run.err;
  return [...problems, ...problemsOf(world, what, run, says)];
}

/** On live, a write of several accounts names only the host, and a refused one an account that is not there. */
function isNamed(world: World, destination: unknown): boolean {
  return (
    destination === world.name ||
    (world.name.startsWith('LIVE') && String(destination).startsWith(world.name.replace(/ acc_\w+ .*$/, '')))
  );
}

async function tryRead(world: World, format: 'json' | 'csv' | 'quiet' | 'terminal', what: string, line: string) {
  const run = await runAs(world, format, line);
  // On a slow machine a stream may not have been accepted in its time; it still says where.
  if (run.exit === 7 && /never accepted/.test(run.err)) return problemsOf(world, what, run, run.out + run.err);
  if (run.exit !== 0 && run.exit !== 130) return [`${what}: exit ${run.exit}: ${run.err}`];
  if (format === 'quiet') return run.err.includes(world.shown) ? [`${what}: with -q: ${run.err}`] : [];
  const isFirst = line.startsWith('stream');
  const lines = run.out.trimEnd().split('\n');
  const onScreen = format === 'terminal';
  const problems = problemsOf(world, what, run, onScreen ? lines.at(isFirst ? 0 : -1)! : run.err);
  const said = run.err.split(world.shown).length - 1;
  if (!onScreen && said !== 1) problems.push(`${what}: said ${said} times: ${run.err}`);
  return problems;
}

for (const [name, setting] of Object.entries(settings)) {
  describe(`every name of a place, ${name}`, () => {
    it('writes, their questions and errors, and reads say where', async () => {
      await using world = await worldOf(setting);
      const problems: string[] = [];
      let tried = 0;
      const each = async (
        list: readonly [string, Line | string][],
        run: (line: string, path: string) => Promise<string[]>,
        round = 1,
      ) => {
        for (const [path, line] of list) {
          tried++;
          try {
            const text = typeof line === 'string' ? line : await line(world, round);
            problems.push(...(await run(text, path)));
          } catch (error) {
            problems.push(`${path}: ${String(error)}`);
          }
        }
      };
      // The longest of these are tried in one simulation and on live; the long tests try all everywhere.
      const isWhole = name === 'embedded' || name === 'live' || process.env.PERP_LONG !== undefined;
      const isTried = (format: (typeof formats)[number]) => isWhole || !['quiet', 'ndjson', 'table'].includes(format);
      for (const [round, format] of formats.entries()) {
        if (!isTried(format)) continue;
        const all = world.isSimulation ? [...writes, ...simulationWrites] : writes;
        await each(all, (line) => tryWrite(world, format, `${line} (${format})`, line), round);
      }
      for (const format of (['json', 'table', 'terminal'] as const).filter(isTried))
        await each(refusedWrites, async (line) => {
          const run = await runAs(world, format, line);
          if (run.exit === 0) return [`${line}: was not refused`];
          // Flattening reports what failed as its result.
          const said = () => (run.out === '' ? run.error.destination : run.json.computed.destination);
          if (format === 'json' && !isNamed(world, said())) return [`${line}: ${run.out}${run.err}`];
          return problemsOf(world, `${line} (${format})`, run, run.out + run.err);
        });
      for (const format of ['json', 'csv', 'quiet', 'terminal'] as const) {
        if (!isTried(format)) continue;
        const all = world.isSimulation ? [...reads, ...simulationReads] : reads;
        await each(all, (line) => tryRead(world, format, `${line} (${format})`, line));
      }
      const said = streams.flatMap(([, line]) =>
        (['json', 'csv', 'terminal'] as const)
          // On a terminal, perp watch and perp ladder take the whole screen; their header has a test of its own.
          .filter((format) => format !== 'terminal' || !/^(watch|ladder)/.test(line))
          .map((format) => tryRead(world, format, `${line} (${format})`, line)),
      );
      problems.push(...(await Promise.all(said)).flat());
      assert.deepEqual(problems, []);
      assert.ok(tried > 200, String(tried));
    });
  });
}

it('every command is in one of these tables', async () => {
  const tried = [writes, simulationWrites, refusedWrites, reads, simulationReads, streams].flatMap((list) =>
    list.map(([path]) => path),
  );
  const known = new Set<string>([...tried, ...elsewhere]);
  assert.deepEqual(
    [...(await commands()).specs.keys()].filter((path) => !known.has(path)),
    [],
    'enter each in where-worlds.ts',
  );
});
