import type { OutboundStreamRequest } from '@weft/outbound';
import { textField } from '@weft/service-kit/json-values';
import type { ChatCall, ChatModel, ChatResult, ModelFormat } from '../chat-model';
import { anthropic } from '../formats/anthropic/codec';
import type { Codec } from '../formats/codec';
import { gemini } from '../formats/gemini/codec';
import { ollama } from '../formats/ollama/codec';
import { openAiChat } from '../formats/openai-chat/codec';
import { openAiResponses } from '../formats/openai-responses/codec';
import { DEFAULTS, timeoutOf } from '../limits';
import { ModelError } from '../model-error';
import { maskedError } from './masked-error';
import type { ModelEndpoint } from './model-endpoint';
import { readStreamed, readWhole } from './read-response';
import { completeDeps, type GivenDeps, type ModelDeps, sendWithRetries } from './send';

/** Codecs by format. */
export const CODECS: Readonly<Record<ModelFormat, Codec>> = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  gemini,
  anthropic,
  ollama,
};

/** Ports of a model. */
export type ChatModelDeps = GivenDeps;

/** The model at an endpoint. Nothing is sent before the first call. */
export function createChatModel(endpoint: ModelEndpoint, deps: ChatModelDeps): ChatModel {
  const codec = CODECS[endpoint.format];
  const ports = completeDeps(deps);
  return {
    call: async (call) => {
      try {
        return await callOnce(codec, endpoint, ports, call);
      } catch (error) {
        throw error instanceof ModelError ? maskedError(error, endpoint) : error;
      }
    },
  };
}

async function callOnce(codec: Codec, endpoint: ModelEndpoint, deps: ModelDeps, call: ChatCall): Promise<ChatResult> {
  const { model } = endpoint;
  const { withoutSecrets } = deps;
  const response = await sendWithRetries(deps, requestOf(codec, endpoint, call), call.settings ?? {}, model);
  try {
    const onDelta = withoutSecretsIn(call, withoutSecrets);
    // Some servers do not stream, even if they are asked to.
    const isStreamed = onDelta !== undefined && !isPlainJson(response.headers['content-type'], codec);
    const reading = { model, withoutSecrets };
    const body = isStreamed
      ? await readStreamed(response, codec, reading, onDelta)
      : await readWhole(response, reading);
    const result = codec.parse(withoutSecrets(body), endpoint);
    const { content } = result.message;
    if (onDelta !== undefined && !isStreamed && content !== '') await onDelta({ type: 'text', text: content });
    return result;
  } finally {
    response.cancel();
  }
}

/** Reports deltas without secrets. */
function withoutSecretsIn(
  { onDelta }: ChatCall,
  withoutSecrets: ModelDeps['withoutSecrets'],
): ChatCall['onDelta'] | undefined {
  if (onDelta === undefined) return undefined;
  return (delta) => {
    const given = delta.type === 'toolCall' ? delta.name : delta.text;
    const text = textField(withoutSecrets({ text: given }), 'text') ?? '';
    return onDelta(delta.type === 'toolCall' ? { ...delta, name: text } : { ...delta, text });
  };
}

const isPlainJson = (type: string | readonly string[] | undefined, { framing }: Codec): boolean =>
  framing === 'sse' && typeof type === 'string' && type.startsWith('application/json');

function requestOf(codec: Codec, endpoint: ModelEndpoint, call: ChatCall): Omit<OutboundStreamRequest, 'timeoutMs'> {
  const { path, headers = [], body } = codec.build(call, endpoint);
  const key = keyHeader(endpoint);
  const own = endpoint.headers ?? [];
  const settings = call.settings ?? {};
  const { idempotencyKey, idleTimeoutMs = DEFAULTS.idleTimeoutMs } = settings;
  return {
    method: 'POST',
    url: `${endpoint.baseUrl.replace(/\/$/, '')}${path}`,
    headers: [['content-type', 'application/json'], ['accept', accepts(codec, call)], ...headers, ...key, ...own],
    secretHeaders: [...key, ...own].map(([name]) => name),
    body: Buffer.from(JSON.stringify(body)),
    followRedirects: true,
    // a response that is not streamed may have its head long before its body
    idleTimeoutMs: call.onDelta === undefined ? timeoutOf(settings) : idleTimeoutMs,
    ...(call.signal === undefined ? {} : { signal: call.signal }),
    ...(endpoint.allowedHosts === undefined ? {} : { allowedHosts: endpoint.allowedHosts }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

const accepts = ({ framing }: Codec, { onDelta }: ChatCall): string =>
  onDelta !== undefined && framing === 'sse' ? 'text/event-stream' : 'application/json';

function keyHeader({ format, vendor, apiKey }: ModelEndpoint): readonly (readonly [string, string])[] {
  if (apiKey === undefined || apiKey === '') return [];
  if (format === 'gemini') return [['x-goog-api-key', apiKey]];
  if (format === 'anthropic') return [['x-api-key', apiKey]];
  if (format === 'openai-chat' && vendor === 'azure') return [['api-key', apiKey]];
  return [['authorization', `Bearer ${apiKey}`]];
}
