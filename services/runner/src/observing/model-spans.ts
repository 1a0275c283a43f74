import type { MadeModelCall, ModelCall, ModelObserver, ModelResponse } from '@weft/engine';
import { currentContext } from '@weft/service-kit/context';
import { beginPart, type ActiveSpan, type SpanAttributes, withinSpan } from '@weft/service-kit/tracing';
import { inputContent, outputContent } from './model-content';
import { failureReasonOf, noteAgentSteps, noteFailedModelCall, noteModelCall, noteModelLimit } from './model-metrics';

/** Stop sequences that are shown. */
const MAX_STOPS = 4;

const given = (attributes: Readonly<Record<string, SpanAttributes[string] | undefined>>): SpanAttributes =>
  Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, SpanAttributes[string]] => entry[1] !== undefined),
  );

const serverOf = (baseUrl: string | undefined): SpanAttributes => {
  const url = baseUrl === undefined ? null : URL.parse(baseUrl);
  if (url === null) return {};
  const standard = url.protocol === 'https:' ? 443 : 80;
  return { 'server.address': url.hostname, 'server.port': url.port === '' ? standard : Number(url.port) };
};

/** The request in OpenTelemetry's GenAI conventions (1.41). */
const requestAttributes = ({ operation, provider, model, baseUrl, request }: ModelCall): SpanAttributes => {
  const { settings = {} } = request ?? {};
  return given({
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    'gen_ai.request.max_tokens': settings.maxTokens,
    'gen_ai.request.temperature': settings.temperature,
    'gen_ai.request.top_p': settings.topP,
    'gen_ai.request.top_k': settings.topK,
    'gen_ai.request.frequency_penalty': settings.frequencyPenalty,
    'gen_ai.request.presence_penalty': settings.presencePenalty,
    'gen_ai.request.seed': settings.seed,
    'gen_ai.request.stop_sequences': settings.stop?.slice(0, MAX_STOPS),
    ...serverOf(baseUrl),
  });
};

const responseAttributes = ({ operation }: ModelCall, { usage, model, id, finish }: ModelResponse): SpanAttributes =>
  given({
    'gen_ai.response.model': model,
    'gen_ai.response.id': id,
    'gen_ai.response.finish_reasons': finish === undefined ? undefined : [finish],
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': operation === 'chat' ? usage.outputTokens : undefined,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens,
  });

/** Dependencies of the observer of calls of models. */
export interface ModelObserverDeps {
  /** The pattern of the price file that names a model. */
  readonly patternOf: (model: string) => string | undefined;
  /** Spans have the messages of calls. */
  readonly tracesContent: boolean;
  /** Begins spans; for tests. */
  readonly begin?: typeof beginPart;
}

/** Records each call of a model in metrics, and as a span where the run is traced. */
export const createModelObserver = ({
  patternOf,
  tracesContent,
  begin = beginPart,
}: ModelObserverDeps): ModelObserver => {
  const beginCall = (call: ModelCall): ActiveSpan | undefined => {
    const context = currentContext();
    if (context?.span?.isRecorded !== true) return undefined;
    return begin(context, {
      name: `${call.operation} ${call.model}`,
      kind: 'client',
      attributes: requestAttributes(call),
    });
  };
  const ended = <Result>(
    span: ActiveSpan,
    call: ModelCall,
    { response }: MadeModelCall<Result>,
    withoutSecrets: Parameters<ModelObserver['call']>[2],
  ): void => {
    span.note(responseAttributes(call, response));
    if (tracesContent) span.note({ ...inputContent(call, withoutSecrets), ...outputContent(response, withoutSecrets) });
    span.end();
  };
  return {
    call: async (call, perform, withoutSecrets) => {
      const span = beginCall(call);
      const since = performance.now();
      try {
        const made = await withinSpan(span, perform);
        noteModelCall(call, made.response, performance.now() - since, patternOf(call.model));
        if (span !== undefined) ended(span, call, made, withoutSecrets);
        return made;
      } catch (thrown) {
        const reason = failureReasonOf(thrown);
        noteFailedModelCall(call, reason, performance.now() - since);
        if (span !== undefined && tracesContent) span.note(inputContent(call, withoutSecrets));
        span?.end(reason);
        throw thrown;
      }
    },
    limitReached: noteModelLimit,
    stepsTaken: noteAgentSteps,
  };
};
