import type { Duplex } from 'node:stream';
import { OutboundError } from '../http/outbound-http';
import { DatabaseFailed, type RedisReply } from './databases';

const LINE_END = Buffer.from('\r\n');
const MAX_LINE_BYTES = 64 * 1024;
const MAX_DEPTH = 16;

/** Reads replies of version 2 of Redis's protocol from a stream, whose length its owner bounds. */
export class RespReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #onData: (() => void) | undefined;

  constructor(stream: Duplex) {
    stream.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      this.#onData?.();
    });
  }

  /** The next reply. Rejects with DatabaseFailed for an error, and with OutboundError if it is not a reply of Redis. */
  async reply(depth = 0): Promise<RedisReply> {
    const line = await this.#line();
    const rest = line.slice(1);
    switch (line.charAt(0)) {
      case '+':
        return rest;
      case '-':
        // within a list it would leave the rest unread
        if (depth > 0) throw notRedis();
        throw new DatabaseFailed(rest, rest.split(' ', 1)[0] ?? '');
      case ':':
        return integer(rest);
      case '$':
        return this.#string(length(rest));
      case '*':
        return this.#list(length(rest), depth);
      default:
        throw notRedis();
    }
  }

  async #string(bytes: number): Promise<string | null> {
    if (bytes < 0) return null;
    const text = (await this.#take(bytes)).toString('utf8');
    if (!(await this.#take(LINE_END.length)).equals(LINE_END)) throw notRedis();
    return text;
  }

  async #list(entries: number, depth: number): Promise<RedisReply> {
    if (entries < 0) return null;
    if (depth >= MAX_DEPTH) throw notRedis();
    const replies: RedisReply[] = [];
    for (let entry = 0; entry < entries; entry += 1) replies.push(await this.reply(depth + 1));
    return replies;
  }

  async #line(): Promise<string> {
    for (;;) {
      const first = this.#chunks[0];
      const end = first?.indexOf(LINE_END) ?? -1;
      if (first !== undefined && end >= 0) {
        const line = (await this.#take(end)).toString('utf8');
        await this.#take(LINE_END.length);
        return line;
      }
      if ((first?.length ?? 0) > MAX_LINE_BYTES) throw notRedis();
      if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
      else await this.#more();
    }
  }

  /** The next bytes, as soon as there are that many. */
  async #take(bytes: number): Promise<Buffer> {
    while (this.#bytes < bytes) await this.#more();
    const [first] = this.#chunks;
    const all = first !== undefined && first.length >= bytes ? first : Buffer.concat(this.#chunks);
    const taken = all.subarray(0, bytes);
    const rest = all.subarray(bytes);
    const others = all === first ? this.#chunks.slice(1) : [];
    this.#chunks = rest.length > 0 ? [rest, ...others] : others;
    this.#bytes -= bytes;
    return taken;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#onData = () => {
        this.#onData = undefined;
        resolve();
      };
    });
  }
}

function integer(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}

function length(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw notRedis();
}

function notRedis(): OutboundError {
  return new OutboundError('PROTOCOL', 'The server does not answer as a Redis server. Check host, port and SSL.');
}
