import { marketStream } from '../../reading/streaming.ts';
import { tradeView } from '../../views/stream-view.ts';

export const { command, run } = marketStream('trades', 'trades', tradeView, 'Print every trade');
