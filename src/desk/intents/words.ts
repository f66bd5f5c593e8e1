import type { Intent } from '../../client/intent.ts';
import { writeOf } from '../../client/writes.ts';
import { quantity } from '../../ground/text/format.ts';
import { marketName } from '../../ground/text/market-name.ts';

/** A write in one line: `place limit buy 0.05 BTC at 61000`. */
export function wordsOf({ operationId, body, path }: Intent): string {
  const wanted = (body === undefined ? {} : JSON.parse(body)) as Record<string, unknown>;
  const price = wanted.limit_price ?? wanted.price;
  const to = wanted.extra_margin ?? wanted.stopped_at;
  const parts = [
    writeOf(operationId)?.words ?? operationId,
    ...Object.values(path),
    wanted.strategy,
    wanted.type,
    wanted.side,
    wanted.size,
    typeof wanted.market_id === 'string' ? marketName(wanted.market_id) : undefined,
    ...(price === undefined ? [] : ['at', price]),
    ...(to === undefined ? [] : ['to', to]),
  ];
  return parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => (typeof part === 'number' ? quantity(part) : part))
    .join(' ');
}
