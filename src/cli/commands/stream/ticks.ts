import { marketStream } from '../../reading/streaming.ts';
import { tickView } from '../../views/stream-view.ts';

export const { command, run } = marketStream(
  'ticks',
  'ticks',
  tickView,
  'Print the last price, midpoint and mark as they change',
);
