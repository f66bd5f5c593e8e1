import type { Socket } from 'node:net';

/** What all connections together may hold of messages that are not complete yet. */
const maxHeldBytes = 16 * 1024 * 1024;
/** What a piece of a message costs besides its bytes. */
const pieceBytes = 128;

/**
 * Bounds what unfinished WebSocket messages hold, in sum over all connections: beyond the bound, the connection that
 * holds most is ended. It follows the frames on the socket (RFC 6455, 5.2), since ws does not say what it holds.
 */
export class UnfinishedFrames {
  readonly #held = new Map<Message, () => void>();
  #sum = 0;

  /** Follows a connection; `end` is called if it holds too much. */
  follow(socket: Socket, end: () => void): void {
    const message = new Message();
    this.#held.set(message, end);
    socket.on('data', (chunk: Buffer) => {
      this.#sum -= message.held;
      message.take(chunk);
      this.#sum += message.held;
      while (this.#sum > maxHeldBytes) this.#endLargest();
    });
    socket.on('close', () => this.#forget(message));
  }

  #endLargest(): void {
    let largest: Message | undefined;
    for (const message of this.#held.keys())
      if (largest === undefined || message.held > largest.held) largest = message;
    const end = this.#held.get(largest!)!;
    this.#forget(largest!);
    end();
  }

  #forget(message: Message): void {
    if (!this.#held.delete(message)) return;
    this.#sum -= message.held;
    message.isForgotten = true;
  }
}

/** The message that a connection is sending. */
class Message {
  /** What has arrived of it, including what each piece costs. */
  held = 0;
  isForgotten = false;
  readonly #header: number[] = [];
  /** Bytes of the current frame's payload that have not arrived. */
  #missing = 0;
  #isControl = false;
  #isLast = true;

  take(chunk: Buffer): void {
    if (this.isForgotten) return;
    let at = 0;
    while (at < chunk.length) {
      if (this.#missing === 0) {
        this.#header.push(chunk[at++]!);
        this.#readHeader();
        continue;
      }
      const bytes = Math.min(this.#missing, chunk.length - at);
      at += bytes;
      this.#missing -= bytes;
      if (!this.#isControl) this.held += bytes;
      if (this.#missing === 0) this.#endFrame();
    }
    // Each chunk of an unfinished frame is kept as a separate buffer.
    if (!this.#isControl && this.#missing > 0) this.held += pieceBytes;
  }

  /** Once the header is complete: its first byte, the length in one, three or nine bytes, and a mask of four. */
  #readHeader(): void {
    const header = this.#header;
    if (header.length < 2) return;
    const short = header[1]! & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const maskBytes = (header[1]! & 0x80) === 0 ? 0 : 4;
    if (header.length < 2 + lengthBytes + maskBytes) return;
    let length = lengthBytes === 0 ? short : 0;
    for (let index = 2; index < 2 + lengthBytes; index += 1) length = length * 256 + header[index]!;
    this.#isControl = (header[0]! & 0x08) !== 0;
    if (!this.#isControl) {
      this.#isLast = (header[0]! & 0x80) !== 0;
      if (length > 0) this.held += pieceBytes;
    }
    this.#missing = length;
    header.length = 0;
    if (length === 0) this.#endFrame();
  }

  #endFrame(): void {
    if (!this.#isControl && this.#isLast) this.held = 0;
  }
}
