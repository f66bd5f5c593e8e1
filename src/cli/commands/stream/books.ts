import { marketStream } from '../../../console/streaming.ts';
import { bookView } from '../../../console/views/stream-view.ts';

export const { command, run } = marketStream(
  'books',
  'books',
  bookView,
  'Print the best 50 levels of each side of the book as they change',
);
