import type { NodeContext } from '@weft/engine';
import type { ChatMessage, ChatSettings } from '@weft/models';
import { booleanField, type Json, type JsonObject, numberField, objectField, textField } from '@weft/node-catalogue';
import { booleanParameter } from '../../shared/read-parameter';
import type { ModelChoice } from '../vendor/call-model';
import { modelIdOf, optionsOf } from '../vendor/read-parameters';

const CREDENTIAL = 'ollamaApi';

/** The model of the node as a chat model node would choose it. */
export const ollamaModel = (context: NodeContext, itemIndex: number): ModelChoice => ({
  node: { kind: 'lmChatOllama', typeVersion: 1, parameters: { model: modelIdOf(context, itemIndex), options: {} } },
  credentialType: CREDENTIAL,
});

/** The system message of the options, if there is one. */
export function systemOf(context: NodeContext, itemIndex: number): ChatMessage[] {
  const content = textField(optionsOf(context, itemIndex), 'system') ?? '';
  return content === '' ? [] : [{ role: 'system', content }];
}

/** Options of a model that no other service has, by their names there. */
const OWN = [
  'low_vram',
  'main_gpu',
  'min_p',
  'num_batch',
  'num_ctx',
  'num_gpu',
  'num_thread',
  'penalize_newline',
  'repeat_last_n',
  'repeat_penalty',
  'use_mlock',
  'use_mmap',
  'vocab_only',
] as const;

/** The options of the node as settings of a call. */
export function settingsOf(context: NodeContext, itemIndex: number): ChatSettings {
  const options = optionsOf(context, itemIndex);
  const own = OWN.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const]));
  const think = booleanField(options, 'think');
  const keepAlive = textField(options, 'keep_alive') ?? '';
  const body: Record<string, Json> = {
    ...(own.length === 0 ? {} : { options: Object.fromEntries(own) }),
    ...(think === undefined ? {} : { think }),
    ...(keepAlive === '' ? {} : { keep_alive: keepAlive }),
  };
  return {
    temperature: numberField(options, 'temperature'),
    topP: numberField(options, 'top_p'),
    topK: numberField(options, 'top_k'),
    maxTokens: numberField(options, 'num_predict'),
    frequencyPenalty: numberField(options, 'frequency_penalty'),
    presencePenalty: numberField(options, 'presence_penalty'),
    seed: numberField(options, 'seed'),
    stop: (textField(options, 'stop') ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
    json: textField(options, 'format') === 'json' ? true : undefined,
    body,
  };
}

/** The item of a response: its text, or the whole response. */
export const itemOfResponse = (context: NodeContext, itemIndex: number, raw: JsonObject): JsonObject =>
  booleanParameter(context, 'simplify', itemIndex, true)
    ? { content: objectField(raw, 'message')?.['content'] ?? null }
    : raw;
