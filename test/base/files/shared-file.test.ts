import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { changeFile, linkTarget } from '../../../src/base/files/shared-file.ts';
import { BotsFile } from '../../../src/bots/gate/bots-file.ts';
import { savePlan } from '../../../src/desk/guard/plans.ts';
import { signMandate } from '../../../src/desk/mandate/signed.ts';
import { writeConfig } from '../../../src/terminal/console/settings/config-file.ts';
import { cannotFail, FaultyDisk } from '../../faulty-disk/faulty-disk.ts';
import { temporaryDirectory } from '../../service/temporary-directory.ts';
import { test, trial } from '../../tiers.ts';

test('the config and saved plans follow links, also to a file that is not there yet', (t) => {
  const folder = temporaryDirectory(t);
  const variables = { PERP_CONFIG_DIR: join(folder, 'config'), PERP_STATE_DIR: join(folder, 'state') };
  mkdirSync(variables.PERP_CONFIG_DIR);
  mkdirSync(join(folder, 'dotfiles'), { mode: 0o700 });
  for (const name of ['config.json', 'plans.json'])
    symlinkSync(join('..', 'dotfiles', name), join(variables.PERP_CONFIG_DIR, name));
  writeConfig(variables, { env: 'sim' });
  savePlan(variables, 'scalp', '1/2@1R rest@2R');
  for (const name of ['config.json', 'plans.json']) {
    assert.ok(lstatSync(join(variables.PERP_CONFIG_DIR, name)).isSymbolicLink());
    assert.equal(lstatSync(join(folder, 'dotfiles', name)).mode & 0o777, 0o600);
  }
  assert.equal(JSON.parse(readFileSync(join(folder, 'dotfiles/config.json'), 'utf8')).env, 'sim');
});

test('a link to where others can write is refused, and so is any link of another file', (t) => {
  const folder = temporaryDirectory(t);
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  const variables = { PERP_CONFIG_DIR: join(folder, 'config'), PERP_STATE_DIR: join(folder, 'state') };
  mkdirSync(variables.PERP_CONFIG_DIR);
  symlinkSync(join(shared, 'config.json'), join(variables.PERP_CONFIG_DIR, 'config.json'));
  assert.throws(
    () => writeConfig(variables, { env: 'sim' }),
    /other users can write to its folder\. Nothing was changed/,
  );
  mkdirSync(join(folder, 'state/owner/mandates'), { recursive: true, mode: 0o700 });
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'state/owner/mandates/grid.json'));
  assert.throws(
    () => signMandate(variables, { name: 'grid' } as never, 1),
    /symbolic link, which perp does not follow/,
  );
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'bots.json'));
  assert.throws(() => new BotsFile(folder).stop('grid', 1), /symbolic link/);
  symlinkSync(join(folder, 'b'), join(folder, 'a'));
  symlinkSync(join(folder, 'a'), join(folder, 'b'));
  assert.throws(() => linkTarget(join(folder, 'a')), /a loop of symbolic links/);
});

trial('where the file system has no locks, a file is written, and that is said', { skip: cannotFail }, (t) => {
  const disk = new FaultyDisk();
  t.after(() => disk.remove());
  const folder = temporaryDirectory(t);
  const module = new URL('../../../src/base/files/shared-file.ts', import.meta.url).href;
  const script = `const { changeFile, onMissingLocks } = await import('${module}');
    onMissingLocks((text) => console.log(text));
    changeFile({ file: process.argv[1] }, (write) => write('{}'));`;
  const env = { ...process.env, ...disk.variables(folder), FAULTY_DISK_LOCKS: 'refused' };
  const file = join(folder, 'config.json');
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, file], {
    env,
    encoding: 'utf8',
  });
  assert.match(stdout, /has no file locks/, stderr);
  assert.equal(readFileSync(file, 'utf8'), '{}');
});

test('a file that another process does not let go of is named', (t) => {
  const file = join(temporaryDirectory(t), 'file.json');
  changeFile({ file }, () => {
    assert.throws(() => changeFile({ file, patienceMs: 10 }, () => {}), /Another process is changing .*file\.json/);
  });
});

/** The modules that write files themselves, and what. Everything else writes through `base/files`. */
const writingModules: Readonly<Record<string, string>> = {
  'src/base/self/self.ts': 'the executable lays its own library out, in a folder that gets its name when it is whole',
  'src/base/system/system.ts': 'the one that gives files their names',
  'src/base/files/private-files.ts': 'the writer',
  'src/desk/guard/guard-state.ts': 'sets a damaged state aside',
  'src/exchange/markets/recorded/recorded-source.ts': 'a cache of one process at a time',
  'src/venues/export/export-tape.ts': 'an export that the user named',
  'src/venues/tape/write-recording.ts': 'a recording that the user named',
  'src/venues/tape/parts.ts': 'a recorder, which has its tape alone',
  'src/programs/lab/merge.ts': 'a file of trials that the user named',
  'src/terminal/cli/running/program-variables.ts': 'the folder of one run',
  'src/terminal/cli/running/run-program.ts': 'the same',
  'src/terminal/cli/running/network.ts': 'the same',
  'src/terminal/cli/commands/sdk/link.ts': 'a link',
  'src/service/practice.ts': 'a simulation of its own',
  'src/service/state/daily-backup.ts': 'a backup, by the one service of a state',
  'src/service/state/service-file.ts': 'the address of the one service of a state',
  'src/service/simulation/repair.ts': 'a state that is locked',
  'src/exchange/store/store.ts': 'a state that is locked',
  'src/exchange/store/new-file.ts': 'the same',
};

test('no other module writes files itself', () => {
  const root = resolve(import.meta.dirname, '../../..');
  const writing =
    /\b(?:writeFileSync|moveFile|renameSync|copyFileSync|appendFileSync|createWriteStream)\(|\bawait (?:rename|writeFile)\(/;
  const found = globSync('src/**/*.ts', { cwd: root }).filter((file) =>
    writing.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(found.sort(), Object.keys(writingModules).sort());
});
