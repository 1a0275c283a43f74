import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { type EndedSpan, OtlpWriter } from './otlp-writer';
import { createEnvelope } from './span-sender';

/** Fields that are messages, and theirs. */
interface Schema {
  readonly [field: number]: Schema;
}
const KEY_VALUE: Schema = { 2: {} };
const SPAN: Schema = { 9: KEY_VALUE, 13: { 4: KEY_VALUE }, 15: {} };
const REQUEST: Schema = { 1: { 1: { 1: KEY_VALUE }, 2: { 1: {}, 2: SPAN } } };

type Field = readonly [field: number, value: string | readonly Field[]];

/** Reads a message of Protocol Buffers as its fields; those with the default value are left out, as they may be. */
const read = (bytes: Buffer, schema: Schema): readonly Field[] => {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 0x80) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = varint();
    const field = tag >> 3;
    const type = tag & 7;
    const inner = schema[field];
    if (type === 0) fields.push([field, String(varint())]);
    else if (type === 1) fields.push([field, take(8).toString('hex')]);
    else if (type === 5) fields.push([field, take(4).toString('hex')]);
    else if (type === 2) {
      const value = take(varint());
      fields.push([field, inner === undefined ? value.toString('latin1') : read(value, inner)]);
    } else throw new Error(`Wire type ${type} is not used.`);
  }
  return fields.filter(([, value]) => value !== '0' && value.length > 0);
};

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const OTHER_TRACE = '1af7651916cd43dd8448eb211c80319c';
const RESOURCE = { 'service.name': 'test', 'service.instance.id': 'test-1' };

const SPAN_OF: EndedSpan = {
  traceId: TRACE,
  spanId: 'b7ad6b7169203331',
  parent: { traceId: TRACE, spanId: 'a7ad6b7169203331', isRemote: true },
  link: { traceId: OTHER_TRACE, spanId: 'c7ad6b7169203331', isRemote: true },
  name: 'POST /webhook/*',
  kind: 2,
  start: 1_790_000_000_123,
  duration: 12_345.678901,
  attributes: {
    'http.response.status_code': 200,
    'weft.node.name': 'Größe 😀',
    answered: true,
    refused: false,
    zero: 0,
    share: 0.25,
    large: Number.MAX_SAFE_INTEGER,
    empty: '',
  },
  isError: true,
};

const contextOf = ({ traceId, spanId, isRemote }: NonNullable<EndedSpan['parent']>) => ({
  traceId,
  spanId,
  isRemote,
  traceFlags: 1,
});

const never = (): never => {
  throw new Error('Nobody merges resources.');
};

/** The bytes of the library for the same span. */
const ofLibrary = (span: EndedSpan): Buffer => {
  const nanoseconds = Math.round(span.duration * 1e6);
  const startMs = span.start;
  const at = (plus: number): [number, number] => {
    const total = BigInt(startMs) * 1_000_000n + BigInt(plus);
    return [Number(total / 1_000_000_000n), Number(total % 1_000_000_000n)];
  };
  const bytes = ProtobufTraceSerializer.serializeRequest([
    {
      name: span.name,
      kind: span.kind - 1,
      spanContext: () => contextOf({ ...span, isRemote: false }),
      ...(span.parent === undefined ? {} : { parentSpanContext: contextOf(span.parent) }),
      startTime: at(0),
      endTime: at(nanoseconds),
      status: { code: span.isError ? 2 : 0 },
      attributes: { ...span.attributes },
      links: span.link === undefined ? [] : [{ context: contextOf(span.link) }],
      events: [],
      duration: [0, nanoseconds],
      ended: true,
      resource: { attributes: RESOURCE, merge: never, getRawAttributes: () => [] },
      instrumentationScope: { name: 'weft', version: 'c0ffee' },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    },
  ]);
  return Buffer.from(bytes ?? []);
};

const ofWriter = (...spans: readonly EndedSpan[]): Buffer => {
  const writer = new OtlpWriter();
  for (const span of spans) writer.span(span);
  return createEnvelope(RESOURCE, 'c0ffee')(writer.take());
};

describe('the encoding of spans', () => {
  it.each([
    ['with everything', SPAN_OF],
    ['that begins a trace and succeeded', { ...SPAN_OF, parent: undefined, link: undefined, isError: false }],
    ['of a parent in the same process', { ...SPAN_OF, parent: contextOf({ ...SPAN_OF, isRemote: false }) }],
    ['that took no time', { ...SPAN_OF, duration: 0, attributes: {} }],
  ] satisfies [string, EndedSpan][])('has the fields that the library writes for a span %s', (_title, span) => {
    expect(read(ofWriter(span), REQUEST)).toEqual(read(ofLibrary(span), REQUEST));
  });

  it('holds as many spans as were written, in their order', () => {
    const spans = Array.from({ length: 3_000 }, (_, index) => ({ ...SPAN_OF, name: `span ${index};` }));
    const text = ofWriter(...spans).toString('latin1');
    expect(text.match(/span \d+;/g)).toEqual(spans.map(({ name }) => name));
  });

  it('cuts texts after 512 characters and attributes after 32', () => {
    const attributes = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key${index}`, 'é'.repeat(5_000)]));
    const text = ofWriter({ ...SPAN_OF, name: 'n'.repeat(600), attributes }).toString();
    expect(text.match(/é+/g)?.map(({ length }) => length)).toEqual(Array(32).fill(512));
    expect(/n{100,}/.exec(text)?.[0]).toHaveLength(512);
  });
});
