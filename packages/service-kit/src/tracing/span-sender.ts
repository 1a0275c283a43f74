import { ExportResultCode } from '@opentelemetry/core';
import { createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import {
  ProtobufTraceSerializer,
  type ISerializer,
  type IExportTraceServiceResponse,
} from '@opentelemetry/otlp-transformer';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { withoutContext } from '../context';
import { createFaultLog, type Logger } from '../logging';
import { encloseMessage, OtlpWriter, type EndedSpan } from './otlp-writer';
import type { SpanAttributes } from './span';

/** Where the spans of a process go, and what they say of it. */
export interface SpanSenderOptions {
  /** Address of an OTLP receiver over HTTP, without `/v1/traces`. */
  readonly endpoint: string;
  /** Headers of each request to it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of the process. */
  readonly resource: SpanAttributes;
  /** Commit that the process was built from. */
  readonly version: string;
  /** Longest time for which spans wait, in milliseconds. */
  readonly delayMs: number;
  readonly logger: Logger;
}

/** Sends spans in batches. */
export interface SpanSender {
  /** Takes a span that has ended, or drops it if too many wait. */
  readonly add: (span: EndedSpan) => void;
  /** Sends what waits, and nothing from then on. Never fails; its time is limited by that of a request. */
  readonly close: () => Promise<void>;
}

/** Spans that wait to be sent; further ones are dropped, so that a slow receiver costs memory and time of nobody. */
const MAX_WAITING = 2_048;
const MAX_WAITING_BYTES = 1024 * 1024;
/** So many are sent without waiting for others. */
const FULL_BATCH = 1_024;
const SEND_TIMEOUT_MS = 5_000;
const AGENT = { keepAlive: true } as const;

interface Batch {
  readonly body: Uint8Array;
  readonly count: number;
}

/** The batches are in their encoding already. */
const SERIALIZER: ISerializer<Batch, IExportTraceServiceResponse> = {
  serializeRequest: ({ body }) => body,
  deserializeResponse: (data) => ProtobufTraceSerializer.deserializeResponse(data),
};

/** `ExportTraceServiceRequest` of one resource and one scope, around spans. */
export const createEnvelope = (resource: SpanAttributes, version: string): ((spans: Buffer) => Buffer) => {
  const parts = new OtlpWriter();
  parts.attributes(1, resource);
  const resourceBytes = encloseMessage(1, parts.take());
  parts.text(1, 'weft');
  parts.text(2, version);
  const scopeBytes = encloseMessage(1, parts.take());
  return (spans) => encloseMessage(1, resourceBytes, encloseMessage(2, scopeBytes, spans));
};

/** Sends spans with the transport of OpenTelemetry's exporter: it repeats what a receiver asks to have repeated. */
export const createSpanSender = (options: SpanSenderOptions): SpanSender => {
  const { endpoint, headers, resource, version, delayMs, logger } = options;
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const delegate = createOtlpHttpExportDelegate(
    {
      url,
      headers: () => Promise.resolve({ ...headers, 'Content-Type': 'application/x-protobuf' }),
      timeoutMillis: SEND_TIMEOUT_MS,
      // One request at a time; the library counts one that has ended for a moment longer.
      concurrencyLimit: 2,
      compression: 'none',
      agentFactory: (protocol) => (protocol === 'https:' ? new HttpsAgent(AGENT) : new HttpAgent(AGENT)),
    },
    SERIALIZER,
    'otlp_http_span_exporter',
    { name: 'span', countItems: ({ count }) => count },
    undefined,
  );
  const faults = createFaultLog(logger, 'spans could not be sent to the receiver of traces; they are lost');
  const drops = createFaultLog(logger, 'spans end faster than the receiver of traces takes them; some are lost');
  const envelope = createEnvelope(resource, version);
  const writer = new OtlpWriter();
  let waiting = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  const transmit = (batch: Batch): Promise<void> =>
    new Promise((resolve) => {
      delegate.export(batch, ({ code, error }) => {
        if (code === ExportResultCode.SUCCESS) faults.worked();
        else faults.failed({ err: error, spans: batch.count });
        resolve();
      });
    });
  const send = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (dropped > 0) drops.failed({ spans: dropped });
    else drops.worked();
    dropped = 0;
    if (waiting === 0) return;
    const batch = { body: envelope(writer.take()), count: waiting };
    waiting = 0;
    await transmit(batch);
  };
  const schedule = (): void => {
    if (sending !== undefined || waiting === 0) return;
    if (waiting >= FULL_BATCH) sendNow();
    else timer ??= withoutContext(() => setTimeout(sendNow, delayMs).unref());
  };
  const sendNow = (): void => {
    sending = withoutContext(send).finally(() => {
      sending = undefined;
      schedule();
    });
  };

  let isClosed = false;
  return {
    add: (span) => {
      if (isClosed) return;
      if (waiting >= MAX_WAITING || writer.length >= MAX_WAITING_BYTES) {
        dropped += 1;
        return;
      }
      writer.span(span);
      waiting += 1;
      schedule();
    },
    close: async () => {
      isClosed = true;
      await sending;
      await send();
      await delegate.shutdown();
    },
  };
};
