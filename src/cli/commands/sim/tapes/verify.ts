import type { Console } from '../../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../../console/grammar/spec.ts';
import { type Column, listOf, type Result } from '../../../../console/output/result.ts';
import { exitCodes } from '../../../../ground/failure/failure.ts';
import { counted, quantity } from '../../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'Read every line of a tape, and compare it with its hashes',
  description:
    'Each part ends with the SHA-256 of its lines, and the next part repeats it. A part without a hash can be read, but is not proved: an earlier version wrote it, its recorder was killed, or it is being written. Exits 7 if a part is damaged or missing.',
  args: [{ name: 'tape', kind: 'file', summary: 'the tape' }],
  examples: [
    ['perp sim tapes verify day.jsonl.gz', 'every part of it'],
    ['perp sim tapes verify day.jsonl.gz --json', 'for scripts'],
  ],
  simulationOnly: true,
});

type Verified = ReturnType<typeof import('../../../../service/live/tapes.ts').verifyTape>;
type Part = Verified extends Generator<infer One> ? One : never;

const columns: readonly Column<Part>[] = [
  { header: 'PART', cell: ({ number }) => String(number), align: 'right' },
  { header: 'FILE', cell: ({ file }) => file },
  { header: 'LINES', cell: ({ lines }) => quantity(lines), align: 'right' },
  {
    header: 'PROOF',
    cell: ({ proof }) => ({ text: proof, tone: proof === 'verified' ? 'good' : proof === 'damaged' ? 'bad' : 'warn' }),
  },
  { header: '', cell: ({ problem }) => problem ?? '' },
];

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { verifyTape } = await import('../../../../service/live/tapes.ts');
  const parts = await console.during('Verifying', async (say) => {
    const found: Part[] = [];
    for (const part of verifyTape(input.tape)) {
      found.push(part);
      say(`Verifying, ${counted(found.length, 'part')}`);
      // Ctrl-C is heard between two parts.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  });
  const fields = ['number', 'file', 'lines', 'proof', 'problem', 'sha256'];
  const isDamaged = parts.some(({ proof }) => proof === 'damaged');
  return { ...listOf(parts, { fields, columns, empty: '' }), exit: isDamaged ? exitCodes.unavailable : exitCodes.done };
}
