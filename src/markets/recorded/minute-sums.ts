import type { PrintSum } from '../print-sums.ts';
import { readWords, type TapeExtent, type TapeWriter } from './tape-file.ts';

/** Where a compiled tape stores one market's minutes: after its records. */
export interface MinutePlace {
  offset: number;
  count: number;
}

const wordsOfSum = 9;
/** A sum of price x size may not fit into one 64-bit float; it is stored exactly in two. */
const half = 2n ** 53n;

/** Appends the minutes of a market. */
export function writeMinutes(tape: TapeWriter, minutes: readonly PrintSum[]): MinutePlace {
  const place = { offset: tape.words, count: minutes.length };
  for (const { time, open, high, low, close, volume, quoteVolume, count } of minutes) {
    const { room, at } = tape.reserve(wordsOfSum);
    const [upper, lower] = [Number(quoteVolume / half), Number(quoteVolume % half)];
    room.set([time, open, high, low, close, volume, upper, lower, count], at);
  }
  return place;
}

/** Reads the minutes of a market as they were written. */
export function readMinutes(tape: TapeExtent, { offset, count }: MinutePlace): PrintSum[] {
  const words = readWords(tape.fd, offset, wordsOfSum * count);
  return Array.from({ length: count }, (_, index) => {
    const [time, open, high, low, close, volume, upper, lower, prints] = words.subarray(wordsOfSum * index);
    const quoteVolume = BigInt(upper!) * half + BigInt(lower!);
    return {
      time: time!,
      open: open!,
      high: high!,
      low: low!,
      close: close!,
      volume: volume!,
      quoteVolume,
      count: prints!,
    };
  });
}
