import { BufferNumbers } from './buffer-numbers';
import type { Encoding } from './encodings';
import { encodingOf, toBytes, toText } from './encodings';

/** The part of Node's Buffer that code in workflows uses. */
export class CodeBuffer extends BufferNumbers {
  override toString(encoding?: unknown, start = 0, end = this.length): string {
    return toText(this.subarray(start, end), knownEncoding(encoding));
  }

  toJSON(): { type: 'Buffer'; data: number[] } {
    return { type: 'Buffer', data: Array.from(this) };
  }

  equals(other: Uint8Array): boolean {
    return this.compare(other) === 0;
  }

  /** -1, 0 or 1, by the first byte that differs, then by length. */
  compare(other: Uint8Array): number {
    const length = Math.min(this.length, other.length);
    for (let index = 0; index < length; index += 1) {
      const difference = (this[index] ?? 0) - (other[index] ?? 0);
      if (difference !== 0) return Math.sign(difference);
    }
    return Math.sign(this.length - other.length);
  }

  /** Shares its bytes, unlike `slice` of other typed arrays. */
  override slice(start?: number, end?: number): ReturnType<Uint8Array['slice']> {
    return this.subarray(start, end);
  }

  override indexOf(value: number | string | Uint8Array, from = 0, encoding?: unknown): number {
    if (typeof value === 'number') return super.indexOf(value, from);
    const wanted = typeof value === 'string' ? toBytes(value, knownEncoding(encoding)) : value;
    for (let at = from < 0 ? Math.max(0, this.length + from) : from; at + wanted.length <= this.length; at += 1) {
      if (wanted.every((byte, offset) => this[at + offset] === byte)) return at;
    }
    return -1;
  }

  override includes(value: number | string | Uint8Array, from = 0, encoding?: unknown): boolean {
    return this.indexOf(value, from, encoding) >= 0;
  }

  write(text: string, offset = 0, length = this.length - offset, encoding?: unknown): number {
    const bytes = toBytes(text, knownEncoding(encoding)).subarray(
      0,
      Math.max(0, Math.min(length, this.length - offset)),
    );
    this.set(bytes, offset);
    return bytes.length;
  }

  copy(target: Uint8Array, targetStart = 0, start = 0, end = this.length): number {
    const part = this.subarray(start, Math.min(end, start + target.length - targetStart));
    target.set(part, targetStart);
    return part.length;
  }
}

/** Bytes from text, a list of numbers, or other bytes. @throws TypeError for anything else */
export function bufferFrom(value: unknown, encodingOrOffset?: unknown, length?: unknown): CodeBuffer {
  if (typeof value === 'string') return wrap(toBytes(value, knownEncoding(encodingOrOffset)));
  if (value instanceof ArrayBuffer)
    return new CodeBuffer(value, Number(encodingOrOffset ?? 0), length === undefined ? undefined : Number(length));
  if (isArrayLike(value)) return wrap(Uint8Array.from(value, Number));
  if (typeof value === 'object' && value !== null) {
    if ('type' in value && value.type === 'Buffer' && 'data' in value && isArrayLike(value.data))
      return bufferFrom(value.data);
    const primitive: unknown = value.valueOf();
    if (typeof primitive === 'string') return bufferFrom(primitive, encodingOrOffset);
  }
  throw new TypeError(
    'Buffer.from takes a string, a Buffer, an ArrayBuffer or an array, but it got ' +
      `${value === null ? 'null' : `a value of type ${typeof value}`}`,
  );
}

function isArrayLike(value: unknown): value is ArrayLike<unknown> {
  return typeof value === 'object' && value !== null && 'length' in value && typeof value.length === 'number';
}

/** `Buffer` as code uses it: callable with and without `new`. */
export function createBufferFunction(): object {
  const callable = function Buffer(value: unknown, encoding?: unknown): CodeBuffer {
    return typeof value === 'number' ? new CodeBuffer(value) : bufferFrom(value, encoding);
  };
  callable.prototype = CodeBuffer.prototype;
  return Object.assign(callable, {
    from: bufferFrom,
    alloc: (size: number, fill?: unknown, encoding?: unknown): CodeBuffer =>
      filled(new CodeBuffer(size), fill, encoding),
    allocUnsafe: (size: number): CodeBuffer => new CodeBuffer(size),
    concat,
    isBuffer: (value: unknown): boolean => value instanceof CodeBuffer,
    isEncoding: (name: unknown): boolean => name !== undefined && encodingOf(name) !== undefined,
    byteLength: (value: unknown, encoding?: unknown): number => bufferFrom(value, encoding).length,
    compare: (a: Uint8Array, b: Uint8Array): number => wrap(a).compare(b),
  });
}

/** `Buffer.concat`. */
export function concat(
  list: readonly Uint8Array[],
  total = list.reduce((sum, part) => sum + part.length, 0),
): CodeBuffer {
  const all = new CodeBuffer(total);
  let end = 0;
  for (const part of list) {
    all.set(part.subarray(0, total - end), end);
    end = Math.min(total, end + part.length);
  }
  return all;
}

function filled(buffer: CodeBuffer, fill: unknown, encoding: unknown): CodeBuffer {
  if (fill === undefined || fill === 0 || fill === '') return buffer;
  if (typeof fill === 'number') {
    buffer.fill(fill);
    return buffer;
  }
  const pattern = bufferFrom(fill, encoding);
  for (let index = 0; index < buffer.length && pattern.length > 0; index += 1)
    buffer[index] = pattern[index % pattern.length] ?? 0;
  return buffer;
}

function wrap(bytes: Uint8Array): CodeBuffer {
  const buffer = new CodeBuffer(bytes.length);
  buffer.set(bytes);
  return buffer;
}

function knownEncoding(name: unknown): Encoding {
  const encoding = encodingOf(name);
  if (encoding === undefined) throw new TypeError(`Unknown encoding: ${String(name)}`);
  return encoding;
}
