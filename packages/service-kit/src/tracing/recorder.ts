import {
  ROOT_CONTEXT,
  SpanKind as OtelKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type AttributeValue,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { randomBytes } from 'node:crypto';
import { withoutContext } from '../context';
import { within } from '../time-limit';
import { createSpanProcessor, type SpanTarget } from './span-processor';
import {
  type ActiveSpan,
  CONTENT_ATTRIBUTES,
  MAX_ATTRIBUTE,
  MAX_CONTENT,
  type SpanAttributes,
  type SpanKind,
  type SpanRecorder,
  type SpanStart,
} from './span';

/** Destination and sampling of a process's spans. */
export interface RecorderOptions extends SpanTarget {
  readonly service: string;
  /** Commit that the process was built from. */
  readonly version: string;
  /** Share of the traces begun here that are recorded, from 0 to 1. */
  readonly ratio: number;
}

const CLOSE_TIMEOUT_MS = 3_000;
const MAX_ATTRIBUTES = 32;

const KINDS: Readonly<Record<SpanKind, OtelKind>> = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  consumer: OtelKind.CONSUMER,
  internal: OtelKind.INTERNAL,
};

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;
/** Random bytes for many ids at once: the cost of the system's generator is per call rather than per byte. */
const RANDOM_BYTES = 6_144;
let digits = '';
const randomDigits = (count: number): string => {
  if (digits.length < count) digits = randomBytes(RANDOM_BYTES).toString('hex');
  const taken = digits.slice(0, count);
  digits = digits.slice(count);
  return taken;
};

const UNSAMPLED = '00';
const SAMPLED = '01';

const toTraceparent = (traceId: string, spanId: string, flags: typeof SAMPLED | typeof UNSAMPLED): string =>
  `00-${traceId}-${spanId}-${flags}`;

const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

const readTraceparent = (traceparent: string | undefined): SpanContext | undefined => {
  const found = traceparent === undefined ? null : parseTraceParent(traceparent);
  return found === null ? undefined : { ...found, isRemote: true };
};

/** A span of a trace that is not sampled. Nine of ten are, so it costs nothing but its context. */
class UnsampledSpan implements ActiveSpan {
  readonly isRecorded = false;

  constructor(readonly traceparent: string) {}

  note(): void {
    // not recorded
  }
  rename(): void {
    // not recorded
  }
  end(): void {
    // not recorded
  }
}

/** Attributes in the form of the SDK. Only those with contents may be longer than others. */
const bounded = (attributes: SpanAttributes): Attributes => {
  const made: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) made[name] = boundedValue(name, value);
  return made;
};

const boundedValue = (name: string, value: SpanAttributes[string]): AttributeValue => {
  if (typeof value === 'object') return value.map((text) => text.slice(0, MAX_ATTRIBUTE));
  return typeof value === 'string' && !CONTENT_ATTRIBUTES.has(name) ? value.slice(0, MAX_ATTRIBUTE) : value;
};

/** An SDK span, sent when it has ended. */
class RecordedSpan implements ActiveSpan {
  readonly isRecorded = true;
  readonly traceparent: string;
  readonly spanContext: SpanContext;
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
    this.spanContext = span.spanContext();
    this.traceparent = toTraceparent(this.spanContext.traceId, this.spanContext.spanId, SAMPLED);
  }

  note(attributes: SpanAttributes): void {
    this.#span.setAttributes(bounded(attributes));
  }

  rename(name: string): void {
    this.#span.updateName(name.slice(0, MAX_ATTRIBUTE));
  }

  end(failure?: string): void {
    // The SDK does not ignore a second end of a span.
    if (failure !== undefined) {
      this.#span.setAttribute('error.type', failure);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    // Sending belongs to no request.
    withoutContext(() => this.#span.end());
  }
}

/** Records spans with the OpenTelemetry SDK, which sends them by OTLP. */
export const createRecorder = (options: RecorderOptions): SpanRecorder => {
  const { service, version, ratio } = options;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'weft',
      'service.name': service,
      'service.version': version,
      'service.instance.id': `${service}-${process.pid}`,
    }),
    // The sampling decision is made before the SDK gets the span.
    sampler: new AlwaysOnSampler(),
    spanLimits: { attributeValueLengthLimit: MAX_CONTENT, attributeCountLimit: MAX_ATTRIBUTES },
    spanProcessors: [createSpanProcessor(options)],
  });
  const tracer = provider.getTracer('weft', version);
  const record = ({ name, kind, attributes = {} }: SpanStart, parent?: SpanContext, link?: SpanContext): ActiveSpan => {
    const links = link === undefined ? [] : [{ context: link }];
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    const start = { kind: KINDS[kind], attributes: bounded(attributes), links };
    return new RecordedSpan(tracer.startSpan(name.slice(0, MAX_ATTRIBUTE), start, context));
  };
  const begin = (start: SpanStart): ActiveSpan => {
    const { parent } = start;
    // A trace that is not sampled needs no child spans: calls use the same context.
    if (parent instanceof UnsampledSpan) return parent;
    if (parent instanceof RecordedSpan) return record(start, parent.spanContext);
    const given = readTraceparent(typeof parent === 'object' ? parent.traceparent : parent);
    const link = readTraceparent(start.link);
    // A trace linked to an earlier one is recorded if that one was; of all others a share is.
    const decisive = given ?? link;
    if (decisive === undefined ? Math.random() < ratio : isSampled(decisive)) return record(start, given, link);
    const traceId = given?.traceId ?? randomDigits(TRACE_DIGITS);
    return new UnsampledSpan(toTraceparent(traceId, given?.spanId ?? randomDigits(SPAN_DIGITS), UNSAMPLED));
  };
  return {
    begin,
    close: () =>
      within(
        provider.shutdown().catch(() => undefined),
        CLOSE_TIMEOUT_MS,
      ),
  };
};
