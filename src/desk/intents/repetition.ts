import type { Intent } from '../../client/intent.ts';
import { writeOf } from '../../client/writes.ts';
import { exitCodes, Failure } from '../../ground/failure/failure.ts';
import { dateTime, marketName, quantity } from '../../ground/text/format.ts';
import { keyOf, type Note } from './note.ts';

/** Whether sending the write again under another key could do it a second time. */
export function canHappenTwice(intent: Intent): boolean {
  const secondTime = writeOf(intent.operationId)?.secondTime;
  return secondTime !== 'nothing' && secondTime !== 'total';
}

/** `The same write was sent at 2026-11-20 22:10:03Z, and its outcome is unknown.` */
export function unsettledSentence(note: Note): string {
  return `The same write was sent at ${dateTime(note.time)}, and its outcome is unknown.`;
}

/** The refusal of a write that might be done twice (exit 6). */
export function repetitionFailure(note: Note): Failure {
  return new Failure({
    exit: exitCodes.conflict,
    code: 'unsettled_write',
    message: `${unsettledSentence(note)} Nothing was sent.`,
    hint: `perp pending resume ${keyOf(note)} settles it; --new sends it anyway.`,
    idempotencyKey: note.intent.idempotencyKey,
  });
}

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
