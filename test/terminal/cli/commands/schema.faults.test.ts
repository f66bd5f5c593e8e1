import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { inputSchema } from '../../../../src/terminal/cli/commands/schema.ts';
import { outputs } from '../../../../src/terminal/cli/schemas/outputs.ts';
import {
  reads,
  settings,
  simulationReads,
  simulationWrites,
  streams,
  worldOf,
  writes,
} from '../../console/where-worlds.ts';
import { commands } from '../practice.ts';

test('what a command prints with --json is what perp schema says', async () => {
  await using world = await worldOf(settings.embedded!);
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uri: true, uuid: true } });
  const problems: string[] = [];
  let tried = 0;
  for (const [path, line] of [...writes, ...simulationWrites, ...reads, ...simulationReads, ...streams]) {
    const schema = outputs[path];
    if (schema === null) continue;
    const text = typeof line === 'string' ? line : await line(world, 1);
    const isLines = path.startsWith('stream');
    const run = await world.perp([...text.split(' '), '--yes', '--json']);
    if (run.exit !== 0) {
      problems.push(`${text}: exit ${run.exit}: ${run.err}`);
      continue;
    }
    const printed = isLines
      ? run.out
          .trim()
          .split('\n')
          .map((one) => JSON.parse(one))
      : [run.json];
    const validate = ajv.compile(schema!);
    for (const value of printed)
      if (!validate(value))
        problems.push(`${text}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(value)}`.slice(0, 400));
    tried += 1;
  }
  assert.deepEqual(problems, []);
  assert.ok(tried > 60, String(tried));
});

test('the schemas of all commands are valid', async () => {
  const formats = { uri: true, uuid: true } as const;
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, formats });
  const registry = await commands();
  for (const path of registry.summaries.keys()) {
    ajv.compile(inputSchema(registry.spec(path)));
    if (outputs[path] !== null) ajv.compile(outputs[path]!);
  }
});
