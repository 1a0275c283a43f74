import { currentContext, withContext, type RequestContext } from '../context';
import type { Logger } from '../logging';
import type { ActiveSpan, SpanRecorder, SpanStart } from './span';

export { type ActiveSpan, MAX_CONTENT, type SpanAttributes } from './span';

/** Tracing configuration. */
export interface TracingSettings {
  /** Address of an OTLP receiver over HTTP; empty: nothing is recorded. */
  readonly tracesEndpoint: string;
  /** Headers of each request to it: `name=value`, separated by commas. */
  readonly tracesHeaders: string;
  /** Percentage of the traces begun here that are recorded. */
  readonly tracesPercent: number;
  /** Maximum time that spans wait to be sent, in milliseconds. */
  readonly tracesDelayMs: number;
  readonly buildCommit: string;
}

let recorder: SpanRecorder | undefined;

const readHeaders = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]];
    }),
  );

/** Starts recording spans of this process if an endpoint is set; otherwise the SDK is not even loaded. */
export const startTracing = async (service: string, settings: TracingSettings, logger: Logger): Promise<void> => {
  const {
    tracesEndpoint: endpoint,
    tracesHeaders,
    tracesPercent,
    tracesDelayMs: delayMs,
    buildCommit: version,
  } = settings;
  if (endpoint === '') return;
  const { createRecorder } = await import('./recorder.js');
  const headers = readHeaders(tracesHeaders);
  recorder = createRecorder({ service, version, endpoint, headers, ratio: tracesPercent / 100, delayMs, logger });
};

/** Sends the ended spans. Takes a few seconds at most, and never fails. */
export const stopTracing = async (): Promise<void> => {
  const last = recorder;
  recorder = undefined;
  await last?.close();
};

/** Begins a span, and a trace if it has no parent. Undefined: this process records nothing. */
export const beginSpan = (start: SpanStart): ActiveSpan | undefined => recorder?.begin(start);

/** Begins a child of a context's span. Undefined without one: background work begins no traces. */
export const beginPart = (
  context: RequestContext | undefined,
  start: Omit<SpanStart, 'parent' | 'link'>,
): ActiveSpan | undefined =>
  context?.span === undefined ? undefined : recorder?.begin({ ...start, parent: context.span });

/** Runs work in a new span, whose children its calls become. Without a span, just runs it. */
export const withinSpan = <Result>(span: ActiveSpan | undefined, work: () => Result): Result => {
  const context = currentContext();
  return span === undefined || context === undefined ? work() : withContext({ ...context, span }, work);
};
