import { currentContext, withContext, type RequestContext } from '../context';
import type { Logger } from '../logging';
import type { ActiveSpan, SpanRecorder, SpanStart } from './span';

export type { ActiveSpan } from './span';

/** Rows of the configuration that decide about traces. */
export interface TracingSettings {
  /** Address of an OTLP receiver over HTTP; empty: nothing is recorded. */
  readonly tracesEndpoint: string;
  /** Headers of each request to it: `name=value`, separated by commas. */
  readonly tracesHeaders: string;
  /** Percentage of the traces begun here that is recorded. */
  readonly tracesPercent: number;
  /** Longest time for which spans wait to be sent, in milliseconds. */
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

/** Records spans of this process from now on, if there is a receiver: without one nothing of the SDK is loaded. */
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

/** Sends the spans that have ended. Takes a few seconds at most, and never fails. */
export const stopTracing = async (): Promise<void> => {
  const last = recorder;
  recorder = undefined;
  await last?.close();
};

/** Begins a span, and a trace if it has no parent. Undefined: nothing is recorded in this process. */
export const beginSpan = (start: SpanStart): ActiveSpan | undefined => recorder?.begin(start);

/** Begins a part of the span of a context. Undefined without one: background work begins no traces. */
export const beginPart = (
  context: RequestContext | undefined,
  start: Omit<SpanStart, 'parent' | 'link'>,
): ActiveSpan | undefined =>
  context?.span === undefined ? undefined : recorder?.begin({ ...start, parent: context.span });

/** Runs work in a span of its own: what it calls becomes part of that. Without a span it is merely run. */
export const withinSpan = <Result>(span: ActiveSpan | undefined, work: () => Result): Result => {
  const context = currentContext();
  return span === undefined || context === undefined ? work() : withContext({ ...context, span }, work);
};
