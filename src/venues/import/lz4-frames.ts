import { LineProblem } from '../../exchange/markets/recorded/recording-error.ts';

/** First four bytes of a frame, and of one that readers skip (the last digit varies), little-endian. */
const frame = 0x184d2204;
const skippable = 0x184d2a50;
/** How far a block may refer back, also into the blocks before it. */
const windowBytes = 2 ** 16;

/** Whether the first bytes are those of an LZ4 frame. */
export const isLz4 = (start: Buffer) => start.length === 4 && start.readUInt32LE() === frame;

/**
 * The contents of LZ4 frames, one after another (the LZ4 frame format, 1.6). Blocks may refer to the ones before. Checksums
 * are skipped. Throws a LineProblem for a frame that is damaged or cut off, or that needs a dictionary.
 */
export async function* lz4Frames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const bytes = new Bytes(source);
  for (let magic = await bytes.whole(); magic !== null; magic = await bytes.whole()) {
    if (magic >>> 4 === skippable >>> 4) await bytes.take((await bytes.whole()) ?? 0);
    else if (magic === frame) yield* blocksOf(bytes);
    else throw new LineProblem('broken LZ4: what follows a frame is not a frame');
  }
}

async function* blocksOf(bytes: Bytes): AsyncGenerator<Buffer> {
  const [flags = 0, sizes = 0] = await bytes.take(2);
  if (flags >>> 6 !== 1) throw new LineProblem('broken LZ4: unknown version');
  if ((flags & 1) !== 0) throw new LineProblem('the LZ4 frame needs a dictionary');
  const [isLinked, hasBlockSum, hasSize, hasSum] = [!(flags & 32), flags & 16, flags & 8, flags & 4];
  const longest = 2 ** (8 + 2 * ((sizes >>> 4) & 7));
  await bytes.take(hasSize ? 9 : 1);
  const output = Buffer.alloc(windowBytes + longest);
  let known = 0;
  for (let head = await bytes.whole(); head !== 0; head = await bytes.whole()) {
    if (head === null) throw cutOff();
    const length = head & 0x7fffffff;
    if (length > longest) throw new LineProblem('broken LZ4: a block is too long');
    const block = await bytes.take(length);
    const from = isLinked ? known : 0;
    const end = head >>> 31 === 1 ? from + block.copy(output, from) : decodeBlock(block, output, from);
    if (hasBlockSum) await bytes.take(4);
    yield Buffer.from(output.subarray(from, end));
    known = Math.min(end, windowBytes);
    output.copyWithin(0, end - known, end);
  }
  if (hasSum) await bytes.take(4);
}

/** Decodes a block (the LZ4 block format) to `output` from `at` on; returns its end. It may refer to all before `at`. */
function decodeBlock(block: Buffer, output: Buffer, at: number): number {
  let [from, to] = [0, at];
  const lengthOf = (nibble: number): number => {
    let length = nibble;
    for (let more = nibble === 15 ? 255 : 0; more === 255; length += more) more = block[from++] ?? Number.NaN;
    return length;
  };
  while (from < block.length) {
    const token = block[from++]!;
    const literals = lengthOf(token >>> 4);
    if (!(from + literals <= block.length && to + literals <= output.length)) throw damaged();
    block.copy(output, to, from, from + literals);
    [from, to] = [from + literals, to + literals];
    if (from === block.length) return to;
    const offset = block[from]! | (block[from + 1]! << 8);
    from += 2;
    const end = to + lengthOf(token & 15) + 4;
    if (!(offset > 0 && offset <= to && from <= block.length && end <= output.length)) throw damaged();
    for (; to < end; to += 1) output[to] = output[to - offset]!;
  }
  throw damaged();
}

const damaged = () => new LineProblem('broken LZ4: a block is damaged');
const cutOff = () => new LineProblem('broken LZ4: the file is cut off');

/** Bytes of a stream, taken as many at a time as are needed. */
class Bytes {
  private readonly source: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    const parts = [this.rest];
    for (let length = this.rest.length; length < count; ) {
      const next = await this.source.next();
      if (next.done === true) throw cutOff();
      parts.push(next.value);
      length += next.value.length;
    }
    const all = parts.length === 1 ? this.rest : Buffer.concat(parts);
    this.rest = all.subarray(count);
    return all.subarray(0, count);
  }

  /** The next four bytes as a number, little-endian; null at the end of the stream. */
  async whole(): Promise<number | null> {
    while (this.rest.length === 0) {
      const next = await this.source.next();
      if (next.done === true) return null;
      this.rest = next.value;
    }
    return (await this.take(4)).readUInt32LE();
  }
}
