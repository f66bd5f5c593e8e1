import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAccess } from '../../../src/terminal/console/open-access.ts';
import { settingsOf } from '../../../src/terminal/console/settings/settings.ts';
import type { Outside } from '../../../src/terminal/console/terminal/outside.ts';
import { beginning } from '../../seed.ts';
import { served } from '../../service/serving.ts';
import { Desk } from '../cli/practice.ts';

test('a simulation keeps idempotency keys, in this process or served; no host is trusted to', async (t) => {
  using desk = new Desk();
  const { variables } = desk;
  const keepsKeys = async (given: object, more = {}) => {
    const outside = { variables: { ...variables, ...more }, beginning, now: Date.now } as unknown as Outside;
    const access = await openAccess({
      settings: settingsOf(given, outside.variables, {}),
      outside,
      version: '0.0.0',
      note: () => {},
    });
    t.after(() => access.close());
    return access.client.keepsKeys;
  };
  const { baseUrl, key } = await served(t, { stateDir: join(desk.folder, 'state'), state: 'friday' });
  assert.equal(await keepsKeys({}), true);
  assert.equal(await keepsKeys({ state: 'friday' }), true);
  assert.equal(await keepsKeys({ env: 'live' }, { PERP_BASE_URL: baseUrl, PERP_API_KEY: key }), false);
});
