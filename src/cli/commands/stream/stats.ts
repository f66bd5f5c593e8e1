import { marketStream } from '../../reading/streaming.ts';
import { statsView } from '../../views/stream-view.ts';

export const { command, run } = marketStream(
  'stats',
  'marketStats',
  statsView,
  'Print mark, 24-hour change and volume as they change',
);
