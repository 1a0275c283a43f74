import { parseTraceParent } from '@opentelemetry/core';
import { SpanKind as OtelKind, TraceFlags } from '@opentelemetry/api';
import { randomBytes } from 'node:crypto';
import type { Logger } from '../logging';
import type { EndedSpan, RelatedSpan } from './otlp-writer';
import { createSpanSender } from './span-sender';
import type { ActiveSpan, SpanAttributes, SpanKind, SpanRecorder, SpanStart } from './span';

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
  /** Longest time for which spans wait to be sent, in milliseconds. */
  readonly delayMs: number;
  readonly logger: Logger;
}

const CLOSE_TIMEOUT_MS = 3_000;

/** OTLP counts the kinds from 1, and has 0 for one that is not given. */
const KINDS: Readonly<Record<SpanKind, number>> = {
  server: OtelKind.SERVER + 1,
  client: OtelKind.CLIENT + 1,
  consumer: OtelKind.CONSUMER + 1,
  internal: OtelKind.INTERNAL + 1,
};

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;
/** Random bytes for many ids at once: the system's generator costs more by the call than by the byte. */
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

/** A span that a `traceparent` names, and whether its trace is sampled. */
interface GivenSpan extends RelatedSpan {
  readonly isSampled: boolean;
}

const readTraceparent = (traceparent: string | undefined): GivenSpan | undefined => {
  const found = traceparent === undefined ? null : parseTraceParent(traceparent);
  if (found === null) return undefined;
  const { traceId, spanId, traceFlags } = found;
  return { traceId, spanId, isRemote: true, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
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

/** What a recorded span begins with. */
interface RecordedInit {
  readonly start: SpanStart;
  readonly parent: RelatedSpan | undefined;
  readonly link: RelatedSpan | undefined;
  readonly add: (span: EndedSpan) => void;
}

/** A span that is sent when it has ended. */
class RecordedSpan implements ActiveSpan {
  readonly isRecorded = true;
  readonly traceparent: string;
  readonly traceId: string;
  readonly spanId = randomDigits(SPAN_DIGITS);
  readonly parent: RelatedSpan | undefined;
  readonly link: RelatedSpan | undefined;
  readonly kind: number;
  readonly start = Date.now();
  readonly isRemote = false;
  readonly attributes: Record<string, SpanAttributes[string]>;
  name: string;
  duration = 0;
  isError = false;
  readonly #from = performance.now();
  #add: RecordedInit['add'] | undefined;

  constructor({ start: { name, kind, attributes }, parent, link, add }: RecordedInit) {
    this.name = name;
    this.kind = KINDS[kind];
    this.attributes = { ...attributes };
    this.parent = parent;
    this.link = link;
    this.traceId = parent?.traceId ?? randomDigits(TRACE_DIGITS);
    this.traceparent = toTraceparent(this.traceId, this.spanId, SAMPLED);
    this.#add = add;
  }

  note(attributes: SpanAttributes): void {
    Object.assign(this.attributes, attributes);
  }

  rename(name: string): void {
    this.name = name;
  }

  end(failure?: string): void {
    const add = this.#add;
    this.#add = undefined;
    this.duration = performance.now() - this.#from;
    if (failure !== undefined) {
      this.attributes['error.type'] = failure;
      this.isError = true;
    }
    add?.(this);
  }
}

/** Records spans, and sends them by OTLP. */
export const createRecorder = (options: RecorderOptions): SpanRecorder => {
  const { service, version, ratio, endpoint, headers, delayMs, logger } = options;
  const resource = {
    'service.namespace': 'weft',
    'service.name': service,
    'service.version': version,
    'service.instance.id': `${service}-${process.pid}`,
  };
  const { add, close } = createSpanSender({ endpoint, headers, resource, version, delayMs, logger });
  const begin = (start: SpanStart): ActiveSpan => {
    const { parent } = start;
    // A trace that is not sampled needs no spans of its own: what it calls belongs to the same one.
    if (parent instanceof UnsampledSpan) return parent;
    if (parent instanceof RecordedSpan) return new RecordedSpan({ start, parent, link: undefined, add });
    const given = readTraceparent(typeof parent === 'object' ? parent.traceparent : parent);
    const link = readTraceparent(start.link);
    // A trace that continues an earlier one by a link is recorded if that was; of all others a part is.
    const isSampled = (given ?? link)?.isSampled ?? Math.random() < ratio;
    if (isSampled) return new RecordedSpan({ start, parent: given, link, add });
    const traceId = given?.traceId ?? randomDigits(TRACE_DIGITS);
    return new UnsampledSpan(toTraceparent(traceId, given?.spanId ?? randomDigits(SPAN_DIGITS), UNSAMPLED));
  };
  return {
    begin,
    close: async () => {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise((resolve) => {
        timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      });
      await Promise.race([close(), limit]);
      clearTimeout(timer);
    },
  };
};
