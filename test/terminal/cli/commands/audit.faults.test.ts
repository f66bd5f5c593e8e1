import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ownerSecret } from '../../../../src/base/files/owner-secret.ts';
import { AuditLog } from '../../../../src/desk/audit/audit-log.ts';
import { auditPlace, logFileOf, nextLines } from '../../../../src/desk/audit/chain.ts';
import { asked, start } from '../../../desk/audit/logs.ts';
import { Desk } from '../practice.ts';

/** Writes records into the log of a machine, as a gate there does. */
async function logged(desk: Desk, ...records: Parameters<AuditLog['append']>[0][]): Promise<void> {
  await using log = AuditLog.open(auditPlace(desk.variables), { secret: ownerSecret(desk.variables) });
  for (const record of records) log.append(record);
}

/** A record of an allowed order, as the service knows it. */
function allowed(number: number, clientOrderId: string) {
  return { ...asked(number), upstream: { target: '/v1/orders', clientOrderId } };
}

describe('perp audit verify --against', () => {
  it('finds an order of a bot without a record, and a record without its order', async () => {
    using desk = new Desk();
    const place = (id: string) => desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--client-order-id', id, '--yes']);
    assert.equal((await place('gate-alpha_a')).exit, 0);
    assert.equal((await place('mine')).exit, 0);
    const outcome = (number: number, word: 'done' | 'unknown') =>
      ({ kind: 'outcome', time: start, bot: 'alpha', write: asked(number).write, outcome: word }) as const;
    const append = (...records: Parameters<AuditLog['append']>[0][]) => logged(desk, ...records);
    const verify = async () => {
      const { exit, json } = await desk.perp(['audit', 'verify', '--against', '--json']);
      return { exit, ...json.against };
    };
    await append({ kind: 'event', time: start, event: 'started', says: 'The gate starts.' });
    const strange = await verify();
    assert.equal(strange.exit, 7);
    assert.deepEqual(
      strange.unrecorded.map((one: { client_order_id: string }) => one.client_order_id),
      ['gate-alpha_a'],
    );
    await append(allowed(1, 'gate-alpha_a'), outcome(1, 'done'));
    assert.deepEqual(await verify().then(({ exit, matched, missing }) => [exit, matched, missing]), [0, 1, []]);
    // A TWAP carries no id of its bot, and nobody knows what became of the other one.
    await append({ ...asked(2), operation: 'createTwapOrder' }, allowed(3, 'gate-alpha_b'), outcome(3, 'unknown'));
    assert.deepEqual(await verify().then(({ exit, cant_tell }) => [exit, cant_tell]), [0, 2]);
    await append(allowed(4, 'gate-alpha_c'), outcome(4, 'done'));
    const lost = await verify();
    assert.equal(lost.exit, 7);
    assert.deepEqual(
      lost.missing.map((one: { client_order_id: string }) => one.client_order_id),
      ['gate-alpha_c'],
    );
  });

  it('exits 10 for a whole chain with a record that nobody has signed', async () => {
    using desk = new Desk();
    await logged(desk, asked(1));
    const { last } = await desk.json('audit', 'verify');
    appendFileSync(logFileOf(auditPlace(desk.variables).folder, 1), nextLines([asked(9)], last).lines);
    const { exit, out } = await desk.perp(['audit', 'verify']);
    assert.match(out, /^The chain is whole, but 1 record had no signature/);
    assert.equal(exit, 10);
  });
});
