import { marketStream } from '../../../console/streaming.ts';
import { statsView } from '../../../console/views/stream-view.ts';

export const { command, run } = marketStream(
  'stats',
  'marketStats',
  statsView,
  'Print mark, 24-hour change and volume as they change',
);
