/** Facts about a span by the names of OpenTelemetry's semantic conventions. Never data of users. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** What a span measures, as OpenTelemetry names it. */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** A span that is under way in this process, or of a trace that is not sampled: then only its context is passed on. */
export interface ActiveSpan {
  /** The W3C `traceparent` of what it calls. */
  readonly traceparent: string;
  /** False if its trace is not sampled. */
  readonly isRecorded: boolean;
  readonly note: (attributes: SpanAttributes) => void;
  /** Names it by what was learned after its start. */
  readonly rename: (name: string) => void;
  /** Ends it, once. `failure`: the kind of its error, for example a status or a reason. */
  readonly end: (failure?: string) => void;
}

/** The id of its trace: 32 hexadecimal digits. */
export const traceIdOf = ({ traceparent }: Pick<ActiveSpan, 'traceparent'>): string => traceparent.slice(3, 35);

/** A span to begin. */
export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes?: SpanAttributes;
  /** The span that it is part of, here or, as a `traceparent`, in another process. Without one it begins a trace. */
  readonly parent?: ActiveSpan | string | undefined;
  /** `traceparent` of an earlier span that led to this one and is over. */
  readonly link?: string | undefined;
}

/** What records spans. */
export interface SpanRecorder {
  readonly begin: (start: SpanStart) => ActiveSpan;
  /** Sends what has ended, for a few seconds at most, and records nothing from then on. Never fails. */
  readonly close: () => Promise<void>;
}
