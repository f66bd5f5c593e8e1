import { marketStream } from '../../../console/streaming.ts';
import { tradeView } from '../../../console/views/stream-view.ts';

export const { command, run } = marketStream('trades', 'trades', tradeView, 'Print every trade');
