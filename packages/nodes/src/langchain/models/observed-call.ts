import type { ModelCall, ModelResponse } from '@weft/engine';
import { type ChatCall, type ChatResult, type ModelEndpoint, providerOf } from '@weft/models';
import { textField } from '@weft/node-catalogue';
import { usageOrEstimate } from './token-estimate';

/** Facts about a chat for limits, traces and metrics. @param estimate tokens of the prompt */
export function chatCall(endpoint: ModelEndpoint, call: ChatCall, estimate: number): ModelCall {
  return {
    operation: 'chat',
    provider: providerOf(endpoint),
    model: endpoint.model,
    baseUrl: endpoint.baseUrl,
    estimatedTokens: estimate,
    request: call,
  };
}

/** Facts about its response. @param estimate tokens of the prompt, for services that do not count them */
export function chatResponse(result: ChatResult, estimate: number): ModelResponse {
  const { raw, finish, message } = result;
  // the names of the OpenAI, Anthropic and Ollama formats, and those of Gemini
  const model = textField(raw, 'model') ?? textField(raw, 'modelVersion');
  const id = textField(raw, 'id') ?? textField(raw, 'responseId');
  return {
    usage: usageOrEstimate(result, estimate),
    finish,
    message,
    ...(model === undefined ? {} : { model }),
    ...(id === undefined ? {} : { id }),
  };
}
