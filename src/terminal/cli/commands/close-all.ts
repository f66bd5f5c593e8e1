import { exitCodes } from '../../../base/failure/failure.ts';
import { counted } from '../../../base/text/format.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { openPositions } from '../../../desk/resolve/holdings.ts';
import { marksOf } from '../../../desk/resolve/quote.ts';
import { newIdempotencyKey } from '../../../wire/client/form-request.ts';
import { defineCommand } from '../../console/console.ts';
import { line, type RecordResult, recordOf, tableOf } from '../../console/output/result.ts';
import { openColumns } from '../../console/views/position-view.ts';
import { cancelEverything, closeEverything } from '../writes/bulk.ts';
import { conclude, dryRunResult, write } from '../writes/write.ts';

export const command = defineCommand({
  summary: 'Close every position of the account',
  description:
    'Sends one reduce-only market close per position, each within 2.5% of mid. Waits for the operation to finish, checks for remaining positions, and exits 9 if there are any; with --cancel-orders, also if a running TWAP may open one again. Without a terminal, this needs --yes.',
  options: { 'cancel-orders': { summary: 'cancel every working order first, so none can open a new position' } },
  examples: [
    ['perp close-all --cancel-orders', 'get flat and stay flat'],
    ['perp close-all --yes --json', 'in a script'],
  ],
  async run(console, input) {
    const account_id = await accountId(console);
    const path = { account_id };
    const { idempotencyKey, dryRun } = console.settings;
    if (input.cancelOrders && dryRun) {
      const { client } = await console.access();
      return dryRunResult([
        client.intend('cancelAllAccountOrders', { path, idempotencyKey: idempotencyKey ?? newIdempotencyKey() }),
        client.intend('closeAllAccountPositions', { path, idempotencyKey: idempotencyKey ?? newIdempotencyKey() }),
      ]);
    }
    const close = closeEverything(console, account_id, input.cancelOrders);
    const cancel = cancelEverything(console, account_id);
    let canceled: RecordResult | undefined;
    const request = { path };
    return write(console, 'closeAllAccountPositions', request, {
      preview: async () => {
        const positions = await openPositions(console);
        if (positions.length === 0) return [line('No open positions.')];
        const markets = positions.map(({ market_id }) => market_id);
        const marks = await marksOf(console, markets);
        return [line(`${counted(positions.length, 'open position')}:`), tableOf(positions, openColumns(marks))];
      },
      question: `Close every position of ${account_id}${input.cancelOrders ? ', and cancel every working order' : ''}?`,
      needsYes: true,
      send: async (keyed) => {
        if (input.cancelOrders)
          canceled = await conclude(console, await cancel.send({ path, idempotencyKey }), cancel.done);
        return close.send(keyed);
      },
      done: async (answer) => {
        const closed = await close.done(answer);
        if (canceled === undefined) return closed;
        const before = canceled;
        const exit = closed.exit === undefined || closed.exit === exitCodes.done ? before.exit : closed.exit;
        return recordOf([before.record, closed.record], () => [...before.blocks(), ...closed.blocks()], exit);
      },
    });
  },
});
