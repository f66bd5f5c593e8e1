import assert from 'node:assert/strict';
import { it } from 'node:test';
import { takeAccounts } from '../../src/gate/charge.ts';
import { temporaryDirectory } from '../service/temporary-directory.ts';

it('one gate at a time has an account; another place or account is free', (t) => {
  const variables = { PERP_STATE_DIR: temporaryDirectory(t) };
  const sim = { environment: 'sim', state: 'default' } as const;
  const first = takeAccounts(variables, sim, ['acc_1', 'acc_2']);
  assert.throws(
    () => takeAccounts(variables, sim, ['acc_3', 'acc_2']),
    /Another gate judges the orders of account acc_2/,
  );
  // What it took before it was refused is free again.
  takeAccounts(variables, sim, ['acc_3'])[Symbol.dispose]();
  takeAccounts(variables, { ...sim, state: 'friday' }, ['acc_1'])[Symbol.dispose]();
  first[Symbol.dispose]();
  takeAccounts(variables, sim, ['acc_1'])[Symbol.dispose]();
});
