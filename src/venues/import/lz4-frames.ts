import { LineProblem } from '../../exchange/markets/recorded/recording-error.ts';

/** First four bytes of a frame, and of one that readers skip (the last digit varies), little-endian. */
const frame = 0x184d2204;
const skippable = 0x184d2a50;
/** How far a block may refer back, also into the blocks before it. */
const windowBytes = 2 ** 16;

/** Whether the first bytes are those of an LZ4 frame. */
export const isLz4 = (start: Buffer) => start.length === 4 && start.readUInt32LE() === frame;

/**
 * The contents of LZ4 frames, one after another (the LZ4 frame format, 1.6). Blocks may refer to the ones before.
 * Throws a LineProblem for a frame that is damaged or cut off, or that needs a dictionary.
 */
export async function* lz4Frames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const bytes = new Bytes(source);
  for (let magic = await bytes.whole(); magic !== null; magic = await bytes.whole()) {
    if (magic >>> 4 === skippable >>> 4) await bytes.take((await bytes.whole()) ?? 0);
    else if (magic === frame) yield* blocksOf(bytes);
    else throw new LineProblem('broken LZ4: the data after a frame is not a frame');
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
  const contents = new Checksum();
  let known = 0;
  for (let head = await bytes.whole(); head !== 0; head = await bytes.whole()) {
    if (head === null) throw cutOff();
    const length = head & 0x7fffffff;
    if (length > longest) throw new LineProblem('broken LZ4: a block is too long');
    const block = await bytes.take(length);
    const from = isLinked ? known : 0;
    const end = head >>> 31 === 1 ? from + block.copy(output, from) : decodeBlock(block, output, from);
    if (hasBlockSum) checkSum(new Checksum().add(block), await bytes.whole());
    const text = Buffer.from(output.subarray(from, end));
    if (hasSum) contents.add(text);
    yield text;
    known = Math.min(end, windowBytes);
    output.copyWithin(0, end - known, end);
  }
  if (hasSum) checkSum(contents, await bytes.whole());
}

/**
 * Decodes a block (the LZ4 block format) to `output` from `at` on; returns its end. It may refer to everything before
 * `at`.
 */
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

function checkSum(computed: Checksum, stated: number | null): void {
  if (stated === null) throw cutOff();
  if (computed.value() !== stated) throw new LineProblem('broken LZ4: a checksum does not match');
}

const primes = Int32Array.of(0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1);
const [one, two, three, four, five] = primes as unknown as [number, number, number, number, number];
const turned = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits));

/** The XXH32 of bytes, with seed 0. */
class Checksum {
  private readonly lanes = Int32Array.of(one + two, two, 0, -one);
  private rest: Buffer = Buffer.alloc(0);
  private length = 0;

  add(bytes: Buffer): this {
    const { lanes } = this;
    const all = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    this.length += bytes.length;
    const end = all.length - (all.length % 16);
    for (let at = 0; at < end; at += 4) {
      const lane = (at >>> 2) & 3;
      lanes[lane] = Math.imul(turned(lanes[lane]! + Math.imul(all.readInt32LE(at), two), 13), one);
    }
    this.rest = Buffer.from(all.subarray(end));
    return this;
  }

  value(): number {
    const { lanes, rest } = this;
    const bits = [1, 7, 12, 18];
    let sum = this.length < 16 ? five : bits.reduce((all, count, lane) => all + turned(lanes[lane]!, count), 0);
    sum = (sum + this.length) | 0;
    const words = rest.length - (rest.length % 4);
    for (let at = 0; at < words; at += 4)
      sum = Math.imul(turned((sum + Math.imul(rest.readInt32LE(at), three)) | 0, 17), four);
    for (const byte of rest.subarray(words)) sum = Math.imul(turned((sum + Math.imul(byte, five)) | 0, 11), one);
    sum = Math.imul(sum ^ (sum >>> 15), two);
    sum = Math.imul(sum ^ (sum >>> 13), three);
    return (sum ^ (sum >>> 16)) >>> 0;
  }
}

const damaged = () => new LineProblem('broken LZ4: a block is damaged');
const cutOff = () => new LineProblem('broken LZ4: the file is cut off');

/** Bytes of a stream, read in pieces of any size. */
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
