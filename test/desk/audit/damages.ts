import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { emptyChain, nextLines } from '../../../src/desk/audit/chain.ts';
import { asked, type TriedLog } from './logs.ts';

/** Something done to the lines of a log, at drawn places. */
export interface Damage {
  readonly way: keyof typeof ways;
  readonly at: number;
  readonly other: number;
}

/** What somebody could do to a log without the owner's secret. Each returns what the file then contains. */
const ways = {
  'alters a byte': (lines: readonly Buffer[], at: number, other: number) => {
    const line = Buffer.from(lines[at]!);
    const place = other % line.length;
    line[place] = line[place]! ^ (1 + (other % 255));
    return [...lines.slice(0, at), line, ...lines.slice(at + 1)];
  },
  'removes a record': (lines: readonly Buffer[], at: number) => lines.toSpliced(at, 1),
  'removes several': (lines: readonly Buffer[], at: number, other: number) => lines.toSpliced(at, 1 + (other % 50)),
  'swaps two records': (lines: readonly Buffer[], at: number, other: number) => {
    const place = (at + 1 + (other % (lines.length - 1))) % lines.length;
    const swapped = [...lines];
    [swapped[at], swapped[place]] = [lines[place]!, lines[at]!];
    return swapped;
  },
  'puts a record in twice': (lines: readonly Buffer[], at: number, other: number) =>
    lines.toSpliced(other % (lines.length + 1), 0, lines[at]!),
  'cuts the tail': (lines: readonly Buffer[], at: number) => lines.slice(0, at),
  'cuts the file anywhere': (lines: readonly Buffer[], at: number, other: number) => [
    ...lines.slice(0, at),
    lines[at]!.subarray(0, other % lines[at]!.length),
  ],
  'adds a record of its own': (lines: readonly Buffer[], at: number) =>
    lines.toSpliced(at, 0, nextLines([asked(1_000_000)], emptyChain).lines),
  'alters a record and rewrites the chain after it': (lines: readonly Buffer[], at: number) =>
    rewritten(lines, at, [asked(1_000_000)]),
  'removes a record and rewrites the chain after it': (lines: readonly Buffer[], at: number) =>
    rewritten(lines, at, []),
} as const;

/** The chain with other records in place of one; what follows is renumbered and hashed anew. */
function rewritten(lines: readonly Buffer[], at: number, instead: readonly ReturnType<typeof asked>[]): Buffer[] {
  const kept = lines.slice(0, at);
  let end = emptyChain;
  for (const line of kept.slice(-1)) {
    const { prev, seq, ...record } = JSON.parse(line.toString());
    end = nextLines([record], { seq: seq - 1, hash: prev }).end;
  }
  const rest = lines.slice(at + 1).map((line) => {
    const { prev: _, seq: __, ...record } = JSON.parse(line.toString());
    return record;
  });
  for (const record of [...instead, ...rest]) {
    const next = nextLines([record], end);
    kept.push(next.lines);
    end = next.end;
  }
  return kept;
}

/** Damage of any kind to a log with this many records. */
export function anyDamage(records: number): fc.Arbitrary<Damage> {
  const way = fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[]));
  return fc.record({ way, at: fc.nat(records - 1), other: fc.nat(1_000_000) });
}

/** Does it to the file of a log. */
export function damage(log: TriedLog, lines: readonly Buffer[], { way, at, other }: Damage): void {
  writeFileSync(log.file(), Buffer.concat(ways[way](lines, at, other)));
}
