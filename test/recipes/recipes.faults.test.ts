import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

/** An addition by the recipe of CONTRIBUTING.md. */
interface Recipe {
  readonly patch: string;
  /** The most files that may have to be changed by hand. */
  readonly files: number;
  /** Each of them, and what is red without it: the compiler, or tests, each of them. */
  readonly red: Readonly<Record<string, string>>;
}

const recipes: Readonly<Record<string, Recipe>> = {
  'a read': {
    patch: 'read.patch',
    files: 8,
    red: {
      'src/wire/contract/orders.ts': 'tsc',
      'src/service/handlers/orders.ts': 'tsc',
      'src/bots/gate/cache/handling.ts': 'tsc',
      'src/terminal/cli/commands/order.ts': 'test/terminal/cli/tree/specs.test.ts',
      'test/terminal/cli/hostile/commands.ts': 'test/terminal/cli/hostile/answers.test.ts',
      'test/wire/contract/wire-facts.ts': 'test/wire/contract/openapi.test.ts',
      'test/conformance/positions.ts': 'test/conformance/in-process.test.ts',
      'tools/examples/operations.ts': 'test/docs/examples.test.ts',
    },
  },
  'a write': {
    patch: 'write.patch',
    files: 11,
    red: {
      'src/wire/contract/orders.ts': 'tsc',
      'src/service/handlers/orders.ts': 'tsc',
      'src/bots/gate/cache/handling.ts': 'tsc',
      'src/desk/mandate/changes.ts': 'tsc',
      'src/wire/client/writes.ts': 'tsc',
      'src/terminal/cli/commands/order.ts': 'test/terminal/cli/tree/specs.test.ts',
      'test/wire/client/write-answers.ts':
        'test/wire/client/belonging.test.ts test/terminal/cli/hostile/answers.test.ts test/desk/mandate/judge-write.test.ts',
      'test/wire/client/write-trials.ts': 'test/wire/client/simulation.faults.test.ts',
      'test/wire/contract/wire-facts.ts': 'test/wire/contract/openapi.test.ts',
      'test/conformance/orders.ts': 'test/conformance/in-process.test.ts',
      'tools/examples/operations.ts': 'test/docs/examples.test.ts',
    },
  },
};

/** A copy of the project. */
function copy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perp-recipe-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of listed.toString().split('\0').filter(Boolean)) cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The output of a failed check; undefined: it passed. */
function failure(folder: string, check: string): string | undefined {
  const words =
    check === 'tsc' ? [join(root, 'node_modules/.bin/tsc'), '--noEmit'] : ['scripts/test.ts', ...check.split(' ')];
  // A long run leaves out each part; what it then asks is asked as ever.
  const { NODE_TEST_CONTEXT: _context, PERP_LONG: _long, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' });
  return status === 0 ? undefined : stdout + stderr;
}

for (const [name, { patch, files, red }] of Object.entries(recipes))
  describe(`${name}, added by the recipe`, () => {
    const file = join(import.meta.dirname, patch);
    let folder = '';
    const apply = (...options: string[]) => execFileSync('git', ['apply', ...options, file], { cwd: folder });

    before(() => {
      folder = copy();
      apply();
      for (const tool of ['tools/sdk-operations.ts', 'tools/doc-examples.ts'])
        execFileSync(process.execPath, [tool], { cwd: folder });
    });

    after(() => rmSync(folder, { recursive: true, force: true }));

    it(`changes at most ${files} files by hand`, () => {
      const changed = [...readFileSync(file, 'utf8').matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path]) => path!);
      assert.deepEqual(changed.sort(), Object.keys(red).sort());
      assert.ok(changed.length <= files);
    });

    it('passes', () => {
      assert.equal(failure(folder, 'tsc'), undefined);
      const tests = [...new Set(Object.values(red))].filter((check) => check !== 'tsc');
      assert.equal(failure(folder, tests.join(' ')), undefined);
    });

    for (const [part, checks] of process.env.PERP_LONG ? Object.entries(red) : [])
      it(`fails without ${part}`, () => {
        apply('--reverse', `--include=${part}`);
        for (const check of checks.split(' ')) assert.notEqual(failure(folder, check), undefined, check);
        apply(`--include=${part}`);
      });
  });
