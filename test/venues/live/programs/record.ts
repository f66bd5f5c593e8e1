/** Records BTC from the Binance server at an address until it is killed: record.ts TAPE ADDRESS. */
import { openNetwork } from '../../../../src/venues/live/open-network.ts';
import { recordMarkets } from '../../../../src/venues/live/record.ts';
import { venues } from '../../../../src/venues/live/venues.ts';

const [tape, address] = process.argv.slice(2) as [string, string];
await recordMarkets({
  tape,
  venues: [{ venue: venues.binance, address: JSON.parse(address) }],
  network: await openNetwork(),
  cache: null,
  markets: ['BTC'],
  forMs: null,
  onProgress: ({ live }) => console.log(`live ${live}`),
});
