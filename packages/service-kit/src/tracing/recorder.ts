import { randomBytes } from 'node:crypto';
import {
  ROOT_CONTEXT,
  SpanKind as OtelKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Link,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import { createFaultLog, type Logger } from '../logging';
import type { ActiveSpan, SpanKind, SpanRecorder, SpanStart } from './span';

/** Where the spans of a process go. */
export interface RecorderOptions {
  readonly service: string;
  /** Commit that the process was built from. */
  readonly version: string;
  /** Address of an OTLP receiver over HTTP, without `/v1/traces`. */
  readonly endpoint: string;
  /** Headers of each request to it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Part of the traces begun here that is recorded, from 0 to 1. */
  readonly ratio: number;
  readonly logger: Logger;
}

/** Spans that wait to be sent; further ones are dropped, so that a slow receiver costs memory and time of nobody. */
const MAX_WAITING = 2_048;
/** A run can be looked at while it goes on. */
const SEND_EVERY_MS = 1_000;
const EXPORT_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 3_000;
const MAX_TEXT = 512;

const KINDS: Readonly<Record<SpanKind, OtelKind>> = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  consumer: OtelKind.CONSUMER,
  internal: OtelKind.INTERNAL,
};

const toTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;

/** Random bytes for the ids of many traces at once: the system's generator costs more by the call than by the byte. */
const RANDOM_IDS = 256;
const ID_DIGITS = 48;
let digits = '';
/** The context of a new trace that is not sampled. */
const unsampledTraceparent = (): string => {
  if (digits.length < ID_DIGITS) digits = randomBytes((RANDOM_IDS * ID_DIGITS) / 2).toString('hex');
  const ids = digits.slice(0, ID_DIGITS);
  digits = digits.slice(ID_DIGITS);
  return `00-${ids.slice(0, 32)}-${ids.slice(32)}-00`;
};

const remote = (traceparent: string | undefined): SpanContext | undefined => {
  const found = traceparent === undefined ? null : parseTraceParent(traceparent);
  return found === null ? undefined : { ...found, isRemote: true };
};

/** An exporter whose faults are logged. */
const reportFaults = (exporter: SpanExporter, logger: Logger): SpanExporter => {
  const faults = createFaultLog(logger, 'spans could not be sent to the receiver of traces; they are lost');
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.SUCCESS) faults.worked();
        else faults.failed({ err: result.error, spans: spans.length });
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
};

/** A span of a trace that is not sampled. Nine of ten are, so it is to cost nothing but its context. */
class UnsampledSpan implements ActiveSpan {
  readonly isRecorded = false;

  constructor(readonly traceparent: string) {}

  note(): void {
    // nobody will see it
  }
  rename(): void {
    // nobody will see it
  }
  end(): void {
    // nobody will see it
  }
}

const recorded = (span: Span): ActiveSpan => ({
  traceparent: toTraceparent(span.spanContext()),
  isRecorded: true,
  note: (attributes) => void span.setAttributes({ ...attributes }),
  rename: (name) => void span.updateName(name),
  end: (failure) => {
    if (failure !== undefined) {
      span.setAttribute('error.type', failure);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  },
});

const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

const withSpanContext = (spanContext: SpanContext | undefined): Context =>
  spanContext === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContext);

/** Records spans with the SDK of OpenTelemetry. */
export const createRecorder = (options: RecorderOptions): SpanRecorder => {
  const { service, version, endpoint, headers, ratio, logger } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'weft',
      'service.name': service,
      'service.version': version,
      'service.instance.id': `${service}-${process.pid}`,
    }),
    // Whether a trace is sampled is decided before the SDK sees it.
    sampler: new AlwaysOnSampler(),
    spanLimits: { attributeValueLengthLimit: MAX_TEXT, attributeCountLimit: 32, linkCountLimit: 8 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportFaults(exporter, logger),
        maxQueueSize: MAX_WAITING,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('weft', version);
  const begin = ({ name, kind, attributes = {}, parent, link }: SpanStart): ActiveSpan => {
    // A trace that is not sampled needs no spans of its own: what it calls belongs to the same one.
    if (typeof parent === 'object' && !parent.isRecorded) return parent;
    const given = remote(typeof parent === 'object' ? parent.traceparent : parent);
    const linked = remote(link);
    // A trace that continues an earlier one by a link is recorded if that was; of all others a part is.
    const decisive = given ?? linked;
    if (decisive === undefined ? Math.random() >= ratio : !isSampled(decisive))
      return new UnsampledSpan(given === undefined ? unsampledTraceparent() : toTraceparent(given));
    const links: Link[] = linked === undefined ? [] : [{ context: linked }];
    const options = { kind: KINDS[kind], attributes: { ...attributes }, links };
    return recorded(tracer.startSpan(name, options, withSpanContext(given)));
  };
  return {
    begin,
    close: async () => {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise((resolve) => {
        timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), limit]);
      clearTimeout(timer);
    },
  };
};
