import { marketStream } from '../../reading/streaming.ts';
import { bookView } from '../../views/stream-view.ts';

export const { command, run } = marketStream(
  'books',
  'books',
  bookView,
  'Print the best 50 levels of each side of the book as they change',
);
