/** Characters of an attribute, and of those with contents of models that an operator has asked for. */
export const MAX_ATTRIBUTE = 512;
export const MAX_CONTENT = 8_192;

/** Attributes with contents. */
export const CONTENT_ATTRIBUTES: ReadonlySet<string> = new Set([
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
]);

/** Span attributes named by OpenTelemetry's semantic conventions. Never user data, but for those with contents. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Kind of a span in OpenTelemetry's terms. */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** A span in progress in this process. If its trace is not sampled, only its context is passed on. */
export interface ActiveSpan {
  /** The W3C `traceparent` for its calls. */
  readonly traceparent: string;
  /** False if its trace is not sampled. */
  readonly isRecorded: boolean;
  readonly note: (attributes: SpanAttributes) => void;
  /** Renames it with information that became known after its start. */
  readonly rename: (name: string) => void;
  /** Ends it; only the first call counts. `failure`: the kind of its error, for example a status or a reason. */
  readonly end: (failure?: string) => void;
}

/** Its trace id: 32 hexadecimal digits. */
export const traceIdOf = ({ traceparent }: Pick<ActiveSpan, 'traceparent'>): string => traceparent.slice(3, 35);

/** A span to begin. */
export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes?: SpanAttributes;
  /** The parent span: in this process, or a `traceparent` from another one. Without a parent it begins a trace. */
  readonly parent?: ActiveSpan | string | undefined;
  /** `traceparent` of an earlier, ended span that led to this one. */
  readonly link?: string | undefined;
}

/** Records spans. */
export interface SpanRecorder {
  readonly begin: (start: SpanStart) => ActiveSpan;
  /** Sends the ended spans, for a few seconds at most, and then stops recording. Never fails. */
  readonly close: () => Promise<void>;
}
