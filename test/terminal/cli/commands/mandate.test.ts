import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, trial } from '../../../tiers.ts';
import { Desk } from '../practice.ts';

trial(
  'a mandate is written, signed by what a person types, tightened for free, and loosened only by a person',
  async () => {
    using desk = new Desk();
    const { file } = await desk.json('mandate', 'add', 'scalper');
    const again = await desk.perp(['mandate', 'add', 'scalper', '--json']);
    assert.equal(again.error.code, 'exists');
    const unsigned = await desk.perp(['mandate', 'check', file, '--json']);
    assert.equal(unsigned.exit, 6);
    assert.equal(unsigned.json.in_force, false);
    assert.ok(unsigned.json.allowed[0].size > 0);

    for (const argv of [
      ['mandate', 'sign', file],
      ['mandate', 'sign', file, '--yes'],
    ])
      assert.equal((await desk.perp([...argv, '--json'])).error.code, 'person_needed');
    assert.equal((await desk.perp(['mandate', 'sign', file, '--yes'], { terminal: true })).exit, 4);
    const nothing = await desk.perp(['mandate', 'sign', file], { terminal: true, typed: [''] });
    assert.equal(nothing.exit, 130);
    const signed = await desk.perp(['mandate', 'sign', file], { terminal: true, typed: ['sign scalper'] });
    assert.equal(signed.exit, 0);
    assert.match(signed.out, /largest-order +up to 1,000\.00 USD/);
    assert.equal((await desk.perp(['mandate', 'check', file])).exit, 0);

    const write = (largest: string) =>
      writeFileSync(file, readFileSync(file, 'utf8').replace(/largest-order = .*/, `largest-order = "${largest}"`));
    write('900usd');
    const tighter = await desk.json('mandate', 'check', file);
    assert.equal(tighter.terms['largest-order'], '900usd');
    write('2000usd');
    const looser = await desk.perp(['mandate', 'check', file, '--json']);
    assert.equal(looser.exit, 6);
    assert.deepEqual([looser.json.looser, looser.json.terms['largest-order']], [['largest-order'], '1000usd']);

    const meanwhile = async () => write('2500usd');
    const changed = await desk.perp(['mandate', 'sign', file], {
      terminal: true,
      typed: ['loosen scalper'],
      meanwhile,
    });
    assert.equal(changed.exit, 6);
    assert.match(changed.err, /changed while you read it/);
    const loosened = await desk.perp(['mandate', 'sign', file], { terminal: true, typed: ['loosen scalper'] });
    assert.match(loosened.out, /LOOSENED +largest-order +up to 1,000\.00 USD -> up to 2,500\.00 USD/);
    assert.equal((await desk.json('mandate', 'show', 'scalper'))['largest-order'], '2500usd');
    assert.equal((await desk.json('mandate'))[0].bot, 'scalper');
  },
);

test('a mandate is named by its bot where perp mandate add wrote it, by a path anywhere else', async () => {
  using desk = new Desk();
  const { file } = await desk.json('mandate', 'add', 'scalper');
  assert.equal((await desk.perp(['mandate', 'check', 'scalper', '--json'])).json.file, file);
  const signed = await desk.perp(['mandate', 'sign', 'scalper'], { terminal: true, typed: ['sign scalper'] });
  assert.equal(signed.exit, 0, signed.err);
  assert.equal((await desk.json('mandate', 'check', 'scalper')).in_force, true);
  const missing = await desk.perp(['mandate', 'check', 'grid', '--json']);
  assert.equal(missing.error.message, `There is no mandate ${join(dirname(file), 'grid.toml')}.`);
  for (const path of ['scalper.toml', './scalper'])
    assert.equal((await desk.perp(['mandate', 'check', path, '--json'])).error.message, `There is no mandate ${path}.`);
  const elsewhere = await desk.perp(['mandate', 'add', 'grid', '--file', join(desk.folder, 'grid.toml')]);
  assert.match(elsewhere.out, /perp mandate sign .*grid\.toml/);
});

test('a check says which sizes wait for a person', async () => {
  using desk = new Desk();
  const { file } = await desk.json('mandate', 'add', 'scalper');
  assert.equal((await desk.perp(['mandate', 'check', file, '--json'])).json.allowed[0].approval_above, null);
  writeFileSync(
    file,
    `${readFileSync(file, 'utf8').replace(/^#? ?approve-above.*$/m, '')}\napprove-above = "200usd"\n`,
  );
  const [row] = (await desk.perp(['mandate', 'check', file, '--json'])).json.allowed;
  assert.ok(row.approval_above > 0 && row.approval_above < row.size, JSON.stringify(row));
  assert.match((await desk.perp(['mandate', 'check', file])).out, /above ASKS ABOVE, it waits for perp approve/);
});

test('a signed copy that was changed does not count', async () => {
  using desk = new Desk();
  const { file } = await desk.json('mandate', 'add', 'scalper');
  await desk.perp(['mandate', 'sign', file], { terminal: true, typed: ['sign scalper'] });
  const copy = join(desk.folder, 'state', 'owner', 'mandates', 'scalper.json');
  const text = readFileSync(copy, 'utf8');
  for (const other of [text.replace('1000usd', '9000usd'), text.replace('"version": 1', '"version": 2'), 'x', '{}']) {
    writeFileSync(copy, other);
    assert.equal((await desk.perp(['mandate', 'show', 'scalper', '--json'])).error.code, 'not_signed');
    assert.equal((await desk.perp(['mandate', 'check', file, '--json'])).error.code, 'not_signed');
  }
});
