import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { holdFile } from '../../../src/base/files/private-files.ts';
import { gateFolder } from '../../../src/bots/gate/bots-file.ts';
import { takeAccounts } from '../../../src/bots/gate/mandate-files.ts';
import type { Destination } from '../../../src/desk/intents/note.ts';
import { placesOf } from '../../../src/desk/intents/places.ts';
import { accountFile, guardFolder } from '../../../src/desk/lock/trading-lock.ts';
import { served } from '../../service/serving.ts';
import { temporaryDirectory } from '../../service/temporary-directory.ts';

it('one gate at a time has an account; another place or account is free', (t) => {
  const variables = { PERP_STATE_DIR: temporaryDirectory(t) };
  const sim = { environment: 'sim', state: 'default' } as const;
  const first = takeAccounts(variables, sim, ['acc_1', 'acc_2']);
  assert.throws(() => takeAccounts(variables, sim, ['acc_3', 'acc_2']), /Another gate is in charge of account acc_2/);
  // What it took before it was refused is free again.
  takeAccounts(variables, sim, ['acc_3'])[Symbol.dispose]();
  takeAccounts(variables, { ...sim, state: 'friday' }, ['acc_1'])[Symbol.dispose]();
  first[Symbol.dispose]();
  takeAccounts(variables, sim, ['acc_1'])[Symbol.dispose]();
});

it('a served simulation is one place, under whatever address and by its name', async (t) => {
  const stateDir = temporaryDirectory(t);
  const variables = { PERP_STATE_DIR: stateDir };
  const { baseUrl, sandboxUrl } = await served(t, { stateDir });
  const { port } = new URL(baseUrl);
  const spellings: Destination[] = [
    { environment: 'sim', state: 'default' },
    ...[baseUrl, `http://localhost:${port}`, `http://127.1:${port}/`, `HTTP://LOCALHOST:${port}//`].map(
      (address): Destination => ({ environment: 'live', baseUrl: address }),
    ),
    { environment: 'sandbox', baseUrl: `http://localhost.:${port}/v1/..` },
  ];
  for (const one of spellings) {
    using _ = takeAccounts(variables, one, ['acc_1']);
    for (const other of spellings)
      assert.throws(
        () => takeAccounts(variables, other, ['acc_1']),
        /Another gate is in charge/,
        JSON.stringify([one, other]),
      );
    assert.equal(placesOf(variables, one)[0], 'sim default live');
    assert.equal(guardFolder(variables, one), guardFolder(variables, spellings[0]!));
    // The other port leads to the other side.
    takeAccounts(variables, { environment: 'live', baseUrl: sandboxUrl }, ['acc_1'])[Symbol.dispose]();
  }
});

it('two services behind one host are two places; a gate of an earlier version is held out, too', (t) => {
  const variables = { PERP_STATE_DIR: temporaryDirectory(t) };
  const at = (baseUrl: string) => ({ environment: 'live', baseUrl }) as const;
  using _ = takeAccounts(variables, at('https://api.example.com/paper'), ['acc_1']);
  takeAccounts(variables, at('https://api.example.com/real'), ['acc_2'])[Symbol.dispose]();
  const former = accountFile(JSON.stringify(['live', 'https://host.example', undefined, 'acc_1']));
  using __ = holdFile(join(gateFolder(variables), 'accounts', former));
  assert.throws(() => takeAccounts(variables, at('https://host.example'), ['acc_1']), /Another gate is in charge/);
});

it('no file of the source keeps anything under an address as it was written', () => {
  const raw = /(?:JSON\.stringify\(|hash\w*\(|`)[^;`]*?\b(?:baseUrl|base_url)\b/;
  const isKey = /\b(?:Folder|folder|file|key|place|name)s?\w*\s*(?:=|\()/i;
  const found = globSync('src/**/*.ts').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => raw.test(line) && isKey.test(line) && /stringify|hash/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  assert.deepEqual(found, []);
});
