import assert from 'node:assert/strict';
import type { Client, StreamOptions } from '../../../../src/programs/sdk/client/client-types.ts';
import { connect } from '../../../../src/programs/sdk/client.ts';
import { defineStrategy, trade } from '../../../../src/programs/sdk/strategy.ts';
import { trial } from '../../../tiers.ts';
import { servedSimulation } from '../served.ts';

/** Runs a strategy on a host for a moment; returns the signals that end the streams it read. */
async function runOnHost({ fails }: { fails: boolean }): Promise<AbortSignal[]> {
  await using service = await servedSimulation({ clock: 'real', startTime: undefined });
  const { baseUrl, key, streamUrl } = service;
  await using client = connect({
    baseUrl,
    key,
    journal: null,
    marketStreamUrl: streamUrl,
    accountStreamUrl: streamUrl,
  });
  const signals: AbortSignal[] = [];
  const heard = <T extends StreamOptions | undefined>(options: T): T => {
    signals.push(options!.signal!);
    return options;
  };
  const watched = {
    ...client,
    stream: (channel: 'books', of: { markets: string[] }, options?: StreamOptions) =>
      client.stream(channel, of, heard(options)),
    accountStream: (options?: StreamOptions) => client.accountStream(heard(options)),
  } as Client;
  const strategy = defineStrategy({
    markets: ['BTC'],
    start(bot) {
      const { bid, ask } = bot.quote('BTC');
      assert.ok(bid! < ask!);
      if (fails) throw new RangeError('no more');
    },
  });
  const run = trade(strategy, { client: watched, for: '50ms' });
  if (fails) await assert.rejects(run, { name: 'StrategyError', at: 'start' });
  else await run;
  return signals;
}

trial('a strategy that ends on a host, or fails there, reads no stream any more', async () => {
  for (const fails of [false, true])
    assert.deepEqual(
      (await runOnHost({ fails })).map(({ aborted }) => aborted),
      [true, true, true],
    );
});
