import { createHmac, timingSafeEqual } from 'node:crypto';

/** Where a page ends in its list (store: PageKey). */
interface PagePosition {
  time: number;
  sequence: number;
}

/** The list that a cursor belongs to; any other refuses it (API 4.8). */
export type CursorBinding = readonly (string | null)[];

const macBytes = 12;

/**
 * Opaque cursors: a page's end, signed together with its endpoint, account and filter. Nothing is stored for them, and
 * one that was altered, invented or used elsewhere fails verification (API 4.8).
 */
export class Cursors {
  readonly #secret: string;

  /** `secret`: random, one per state. */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** About 60 characters of base64url. */
  encode(binding: CursorBinding, { time, sequence }: PagePosition): string {
    const position = `${time.toString(36)}.${sequence.toString(36)}`;
    return Buffer.concat([this.#sign(binding, position), Buffer.from(position)]).toString('base64url');
  }

  /** The position, or null if the cursor was not issued for this list. */
  decode(binding: CursorBinding, cursor: string): PagePosition | null {
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.length <= macBytes || bytes.toString('base64url') !== cursor) return null;
    const position = bytes.toString('latin1', macBytes);
    if (!timingSafeEqual(bytes.subarray(0, macBytes), this.#sign(binding, position))) return null;
    const [time = '', sequence = ''] = position.split('.');
    return { time: Number.parseInt(time, 36), sequence: Number.parseInt(sequence, 36) };
  }

  #sign(binding: CursorBinding, position: string): Buffer {
    const text = JSON.stringify([...binding, position]);
    return createHmac('sha256', this.#secret).update(text).digest().subarray(0, macBytes);
  }
}
