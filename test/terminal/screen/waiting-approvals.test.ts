import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestLastsMs } from '../../../src/bots/gate/approvals/approval-files.ts';
import { LiveModel } from '../../../src/desk/watch/live-model.ts';
import { glyphsFor } from '../../../src/terminal/console/charts/glyphs.ts';
import type { Console } from '../../../src/terminal/console/console.ts';
import { textOf } from '../../../src/terminal/console/output/result.ts';
import { accountRows } from '../../../src/terminal/screen/header-rows.ts';
import { WaitingApprovals } from '../../../src/terminal/screen/waiting-approvals.ts';
import { requestOf, Waiting } from '../../bots/gate/approvals/waiting.ts';

/** The screen's look at approvals, on the machine of a gate. */
function lookAt(waiting: Waiting): WaitingApprovals {
  const machine = { now: () => waiting.wall, uptime: () => waiting.uptime };
  return new WaitingApprovals({ variables: waiting.variables, machine, outside: machine } as unknown as Console);
}

const textsOf = (rows: ReturnType<WaitingApprovals['rows']>) => rows.map((row) => row.map(textOf).join(''));

/** What it shows once it has seen as many as wait. */
async function shown(waiting: Waiting, approvals: WaitingApprovals, width = 120): Promise<string[]> {
  while (approvals.ids().length < waiting.waiting().length) {
    // The gate renews what it shows, and the screen looks again.
    waiting.uptime += 1_000;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return textsOf(approvals.rows(width));
}

describe('what waits for approval, on the live screen', () => {
  it('has a row with how to decide, as long as it waits', async () => {
    await using waiting = new Waiting();
    await waiting.ask(waiting.gate(0));
    const approvals = lookAt(waiting);
    const { kept } = waiting.waiting()[0]!;
    const [row] = await shown(waiting, approvals);
    assert.equal(
      row!.trimEnd(),
      `APPROVAL WAITS, perp approve ${kept.id.slice(0, 8)} alpha: place market buy 2 BTC, 15m left`,
    );
    const [narrow] = await shown(waiting, approvals, 60);
    assert.equal(narrow, `APPROVAL WAITS, perp approve ${kept.id.slice(0, 8)} alpha: place market b…`);
    waiting.pass(requestLastsMs);
    assert.deepEqual(approvals.rows(120), []);
  });

  it('counts several, and shows the one that expires first', async () => {
    await using waiting = new Waiting();
    const gate = waiting.gate(0);
    await waiting.ask(gate);
    waiting.pass(60_000);
    await waiting.ask(gate, requestOf(3, 'key-2'));
    const approvals = lookAt(waiting);
    const [row] = await shown(waiting, approvals);
    assert.equal(row!.trimEnd(), '2 APPROVALS WAIT, perp approve alpha: place market buy 2 BTC, 14m left');
    assert.equal(approvals.news().length, 2);
    assert.deepEqual(approvals.news(), []);
  });

  it('is below the account, also before that is known', async () => {
    await using waiting = new Waiting();
    await waiting.ask(waiting.gate(0));
    const approvals = lookAt(waiting);
    await shown(waiting, approvals);
    const market = { market_id: 'BTC', symbol: 'BTC' } as never;
    const model = new LiveModel({ markets: [market], watched: [market], interval: '1m' });
    const setting = { place: () => 'SIM', isHost: false, localTime: () => '', approvals };
    const rows = textsOf(accountRows(model, setting, 80, glyphsFor({}, false)));
    assert.match(rows.at(-1)!, /^APPROVAL WAITS/);
  });
});
