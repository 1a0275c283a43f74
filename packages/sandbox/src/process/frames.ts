// Imported by name, because one of the programs using this removes all global names.
import { Buffer } from 'node:buffer';
import type { Writable } from 'node:stream';

/**
 * A frame is four bytes of length (big-endian), one byte for its kind, and its content. The length counts the bytes
 * after it.
 */
const HEAD_BYTES = 5;

/** Kinds of frames. Those from 10 on come from the sandbox process. */
export const FRAME = {
  /** Run code: `encodeJob`. */
  job: 1,
  /** Search for a match: JSON of a `RegexQuestion`. */
  regexQuestion: 2,
  /** The process can accept a run. Empty. */
  ready: 10,
  /** Console output so far, as a JSON array of strings. Precedes `result` or `stopped`; there may be several. */
  console: 11,
  /** Result of the code: untrusted JSON text created by the code itself. */
  result: 12,
  /** The run was stopped: JSON of `{ stopped }`, a `StopReason`. */
  stopped: 13,
  /** Outcome of a search: JSON of a `RegexAnswer`. */
  regexAnswer: 14,
  /** The process could not be sealed and accepts no runs: the reason as text. */
  unsealed: 15,
} as const;

export interface Frame {
  readonly kind: number;
  readonly body: Buffer;
}

/** A frame announces more bytes than allowed. */
export class FrameTooLarge extends Error {
  constructor(bytes: number, most: number) {
    super(`A frame of ${bytes} bytes was announced; ${most} are allowed.`);
    this.name = 'FrameTooLarge';
  }
}

/** Head of a frame and its parts, to be written in order. */
export function encodeFrame(kind: number, ...parts: readonly Uint8Array[]): Uint8Array[] {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(parts.reduce((sum, part) => sum + part.length, 1));
  head[4] = kind;
  return [head, ...parts];
}

/** Frames up to this size are joined: copying so few bytes costs less than writing the parts separately. */
const JOINED_BYTES = 64 * 1024;

/** Writes a frame with one system call, without copying large parts. */
export function writeFrame(stream: Writable, kind: number, ...parts: readonly Uint8Array[]): void {
  const all = encodeFrame(kind, ...parts);
  if (all.reduce((sum, part) => sum + part.length, 0) <= JOINED_BYTES) {
    stream.write(Buffer.concat(all));
    return;
  }
  stream.cork();
  for (const part of all) stream.write(part);
  stream.uncork();
}

/** Assembles frames from pieces of a stream. Holds at most one frame of `mostBytes`. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #held = 0;
  #wanted = 4;
  readonly #mostBytes: number;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The frames that `piece` completes. @throws FrameTooLarge before any content of such a frame is buffered */
  push(piece: Buffer): Frame[] {
    const frames: Frame[] = [];
    this.#pieces.push(piece);
    this.#held += piece.length;
    while (this.#held >= this.#wanted) {
      const held =
        this.#pieces.length === 1 && this.#pieces[0] !== undefined ? this.#pieces[0] : Buffer.concat(this.#pieces);
      const length = held.readUInt32BE();
      if (length < 1 || length > this.#mostBytes) throw new FrameTooLarge(length, this.#mostBytes);
      const end = 4 + length;
      this.#wanted = end;
      this.#pieces = [held];
      if (held.length < end) break;
      frames.push({ kind: held[4] ?? 0, body: held.subarray(HEAD_BYTES, end) });
      const rest = held.subarray(end);
      this.#pieces = rest.length === 0 ? [] : [rest];
      this.#held = rest.length;
      this.#wanted = 4;
    }
    return frames;
  }
}

/** A run of code in its transfer format. */
export interface EncodedJob {
  /** A function expression in JavaScript. */
  readonly code: Uint8Array;
  /** JSON text of its input. */
  readonly input: Uint8Array;
}

/** The content of a `job` frame. */
export function encodeJob({ code, input }: EncodedJob): Uint8Array[] {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(code.length);
  return [head, code, input];
}

/** The code and the input of a `job` frame. */
export function decodeJobTexts(body: Buffer): { readonly code: string; readonly input: string } {
  const codeEnd = 4 + body.readUInt32BE();
  return { code: body.toString('utf8', 4, codeEnd), input: body.toString('utf8', codeEnd) };
}

/** Reads the content of a `job` frame. */
export function decodeJob(body: Buffer): EncodedJob {
  const codeEnd = 4 + body.readUInt32BE();
  return { code: body.subarray(4, codeEnd), input: body.subarray(codeEnd) };
}
