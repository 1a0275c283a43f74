import type { SpanAttributes } from './span';

/*
 * Spans in the encoding of OTLP (the protocol buffers of OpenTelemetry, release 1.7): messages and field numbers are
 * theirs. A span is written once, when it ends, and is garbage from then on: objects that are kept until the next
 * batch cost the garbage collector more than the span itself.
 */

/** What is written of a span. */
export interface EndedSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly parent: RelatedSpan | undefined;
  /** A span of another trace that led to this one. */
  readonly link: RelatedSpan | undefined;
  readonly name: string;
  /** As OTLP numbers the kinds. */
  readonly kind: number;
  /** Unix milliseconds. */
  readonly start: number;
  /** Milliseconds, with fractions. */
  readonly duration: number;
  readonly attributes: SpanAttributes;
  readonly isError: boolean;
}

/** Another span as a `traceparent` names it. */
export interface RelatedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly isRemote: boolean;
}

/** Wire types of Protocol Buffers. */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** Lengths take three bytes, so that they can be filled in afterwards: nothing here has 2 MiB. */
const LENGTH_BYTES = 3;
const MAX_ATTRIBUTES = 32;
const MAX_TEXT = 512;
const STATUS_ERROR = 2;
/** Sampled, and whether the parent is known to be remote. */
const FLAG_SAMPLED = 0x01;
const FLAG_HAS_REMOTE = 0x100;
const FLAG_IS_REMOTE = 0x200;

const flagsOf = (isRemote: boolean): number => FLAG_SAMPLED | FLAG_HAS_REMOTE | (isRemote ? FLAG_IS_REMOTE : 0);

/** Room that one span needs at most: its attributes and name, with three bytes for each character. */
const MAX_SPAN_BYTES = (2 * MAX_ATTRIBUTES + 1) * (3 * MAX_TEXT + 16) + 256;

/** Writes messages one after the other. */
export class OtlpWriter {
  #bytes = Buffer.allocUnsafe(2 * MAX_SPAN_BYTES);
  #at = 0;

  /** Bytes written so far. */
  get length(): number {
    return this.#at;
  }

  /** Writes a span as an element of `ScopeSpans.spans`. */
  span(span: EndedSpan): void {
    this.#makeRoom(MAX_SPAN_BYTES);
    const end = this.#open(2);
    this.#id(1, span.traceId);
    this.#id(2, span.spanId);
    if (span.parent !== undefined) this.#id(4, span.parent.spanId);
    this.#text(5, span.name);
    this.#varint(6, span.kind);
    const start = BigInt(span.start) * 1_000_000n;
    this.#time(7, start);
    this.#time(8, start + BigInt(Math.max(0, Math.round(span.duration * 1_000_000))));
    this.#attributes(9, span.attributes);
    if (span.link !== undefined) this.#link(13, span.link);
    if (span.isError) {
      const endStatus = this.#open(15);
      this.#varint(3, STATUS_ERROR);
      this.#close(endStatus);
    }
    this.#fixed32(16, flagsOf(span.parent?.isRemote ?? false));
    this.#close(end);
  }

  /** Writes a text field. */
  text(field: number, text: string): void {
    this.#makeRoom(MAX_SPAN_BYTES);
    this.#text(field, text);
  }

  /** Writes attributes as a repeated `KeyValue`. */
  attributes(field: number, attributes: SpanAttributes): void {
    this.#makeRoom(MAX_SPAN_BYTES);
    this.#attributes(field, attributes);
  }

  /** Takes what was written, and begins anew. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    return taken;
  }

  #makeRoom(bytes: number): void {
    if (this.#bytes.length - this.#at >= bytes) return;
    const grown = Buffer.allocUnsafe(2 * this.#bytes.length + bytes);
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }

  #byte(value: number): void {
    this.#bytes[this.#at] = value;
    this.#at += 1;
  }

  #tag(field: number, type: number): void {
    const tag = (field << 3) | type;
    if (tag < 0x80) return this.#byte(tag);
    this.#byte((tag & 0x7f) | 0x80);
    this.#byte(tag >> 7);
  }

  /** Begins a message of a length that is not known yet. @returns where it begins */
  #open(field: number): number {
    this.#tag(field, BYTES);
    this.#at += LENGTH_BYTES;
    return this.#at;
  }

  #close(begin: number): void {
    const length = this.#at - begin;
    this.#bytes[begin - 3] = (length & 0x7f) | 0x80;
    this.#bytes[begin - 2] = ((length >> 7) & 0x7f) | 0x80;
    this.#bytes[begin - 1] = (length >> 14) & 0x7f;
  }

  #varint(field: number, value: number): void {
    this.#tag(field, VARINT);
    let rest = value;
    while (rest >= 0x80) {
      this.#byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#byte(rest);
  }

  #fixed32(field: number, value: number): void {
    this.#tag(field, FIXED32);
    this.#at = this.#bytes.writeUInt32LE(value, this.#at);
  }

  #time(field: number, nanoseconds: bigint): void {
    this.#tag(field, FIXED64);
    this.#at = this.#bytes.writeBigUInt64LE(nanoseconds, this.#at);
  }

  #id(field: number, digits: string): void {
    this.#tag(field, BYTES);
    this.#byte(digits.length / 2);
    this.#at += this.#bytes.write(digits, this.#at, 'hex');
  }

  #text(field: number, text: string): void {
    const begin = this.#open(field);
    const most = Math.min(text.length, MAX_TEXT);
    for (let index = 0; index < most; index += 1) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) {
        this.#at = begin + this.#bytes.write(text.slice(0, most), begin);
        break;
      }
      this.#bytes[begin + index] = code;
      this.#at = begin + index + 1;
    }
    this.#close(begin);
  }

  #attributes(field: number, attributes: SpanAttributes): void {
    for (const [key, value] of Object.entries(attributes).slice(0, MAX_ATTRIBUTES)) {
      const end = this.#open(field);
      this.#text(1, key);
      const endValue = this.#open(2);
      this.#value(value);
      this.#close(endValue);
      this.#close(end);
    }
  }

  #value(value: string | number | boolean): void {
    if (typeof value === 'string') return this.#text(1, value);
    if (typeof value === 'boolean') return this.#varint(2, Number(value));
    // Whole numbers below 0 do not occur; they would arrive as doubles.
    if (Number.isSafeInteger(value) && value >= 0) return this.#varint(3, value);
    this.#tag(4, FIXED64);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  #link(field: number, { traceId, spanId, isRemote }: RelatedSpan): void {
    const end = this.#open(field);
    this.#id(1, traceId);
    this.#id(2, spanId);
    this.#fixed32(6, flagsOf(isRemote));
    this.#close(end);
  }
}

/** Puts parts together as a message under a field number. */
export const encloseMessage = (field: number, ...parts: readonly Buffer[]): Buffer => {
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = [(field << 3) | BYTES];
  for (; length >= 0x80; length >>>= 7) head.push((length & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...head, length]), ...parts]);
};
