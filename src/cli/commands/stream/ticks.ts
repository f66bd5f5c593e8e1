import { marketStream } from '../../../console/streaming.ts';
import { tickView } from '../../../console/views/stream-view.ts';

export const { command, run } = marketStream(
  'ticks',
  'ticks',
  tickView,
  'Print the last price, midpoint and mark as they change',
);
