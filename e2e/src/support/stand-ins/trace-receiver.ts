import { loadSync, type MethodDefinition } from '@grpc/proto-loader';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { checkout } from '../../corpus/places';

/** A span as a receiver of OTLP gets it; ids in hexadecimal digits. */
export interface ReceivedSpan {
  /** `service.name` of its process. */
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: it begins its trace. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Ids of the traces that it is linked to. */
  readonly links: readonly string[];
  readonly isError: boolean;
}

/** A receiver of traces: OTLP over HTTP. */
export interface TraceReceiver {
  readonly url: string;
  /** The spans of a trace so far. */
  readonly spansOf: (traceId: string) => readonly ReceivedSpan[];
  readonly spans: readonly ReceivedSpan[];
  /** Everything that it received, unchanged. */
  readonly received: () => Buffer;
  readonly stop: () => Promise<void>;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface WireSpan {
  readonly traceId: Buffer;
  readonly spanId: Buffer;
  readonly parentSpanId: Buffer;
  readonly name: string;
  readonly attributes: readonly KeyValue[];
  readonly links: readonly { readonly traceId: Buffer }[];
  readonly status: { readonly code: number } | null;
}
interface WireRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

const STATUS_ERROR = 2;

const isMethod = (value: unknown): value is Pick<MethodDefinition<object, object, WireRequest>, 'requestDeserialize'> =>
  typeof value === 'object' && value !== null && 'requestDeserialize' in value;

const openDecoder = (): ((message: Buffer) => WireRequest) => {
  const definition = loadSync(join(checkout, 'e2e/src/support/otlp-trace.proto'), {
    defaults: true,
    arrays: true,
    oneofs: true,
    longs: Number,
  });
  const service = definition['opentelemetry.proto.collector.trace.v1.TraceService'];
  const method: unknown = service === undefined ? undefined : Reflect.get(service, 'Export');
  if (!isMethod(method)) throw new Error('The protocol of traces has no method Export.');
  return (message) => method.requestDeserialize(message);
};

const toAttributes = (pairs: readonly KeyValue[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value[String(value['value'])]]));

const toSpans = ({ resourceSpans }: WireRequest): readonly ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, attributes, links, status }): ReceivedSpan => ({
        service: String(toAttributes(resource.attributes)['service.name']),
        name,
        traceId: traceId.toString('hex'),
        spanId: spanId.toString('hex'),
        parentSpanId: parentSpanId.toString('hex'),
        attributes: toAttributes(attributes),
        links: links.map((link) => link.traceId.toString('hex')),
        isError: status?.code === STATUS_ERROR,
      })),
    ),
  );

/** Starts a receiver on a free port. */
export const startTraceReceiver = async (): Promise<TraceReceiver> => {
  const decode = openDecoder();
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const sent = Buffer.concat(parts);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      if (request.method !== 'POST' || request.url !== '/v1/traces') return void response.writeHead(404).end();
      bodies.push(body);
      spans.push(...toSpans(decode(body)));
      response.setHeader('content-type', 'application/x-protobuf');
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    spansOf: (traceId) => spans.filter((span) => span.traceId === traceId),
    received: () => Buffer.concat(bodies),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
