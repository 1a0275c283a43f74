import { Buffer } from 'node:buffer';
import { readSync, writeSync } from 'node:fs';
import type { Frame } from '../process/frames';
import { encodeFrame } from '../process/frames';

const INPUT = 0;
const OUTPUT = 1;
const LENGTH_BYTES = 4;

/** Frames over the standard streams, read and written synchronously. */
export class BlockingFrames {
  readonly #mostBytes: number;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The next frame; undefined at the end of the input. */
  read(): Frame | undefined {
    const head = readBytes(LENGTH_BYTES);
    if (head === undefined) return undefined;
    const length = head.readUInt32BE();
    const content = length < 1 || length > this.#mostBytes ? undefined : readBytes(length);
    return content === undefined ? undefined : { kind: content[0] ?? 0, body: content.subarray(1) };
  }

  /** Writes frames, each a kind and its content as text. */
  write(...frames: readonly (readonly [kind: number, content: string])[]): void {
    writeBytes(Buffer.concat(frames.flatMap(([kind, content]) => encodeFrame(kind, Buffer.from(content)))));
  }

  /** Writes a frame of bytes without copying them. */
  writeFrame(kind: number, content: Uint8Array): void {
    for (const part of encodeFrame(kind, content)) writeBytes(part);
  }
}

function writeBytes(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(OUTPUT, bytes, at);
}

function readBytes(count: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(count);
  for (let at = 0; at < count;) {
    const read = readSync(INPUT, bytes, at, count - at, null);
    if (read === 0) return undefined;
    at += read;
  }
  return bytes;
}
