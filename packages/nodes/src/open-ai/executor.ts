import type { NodeContext, NodeExecutor } from '@weft/engine';
import { isJsonObject, type Json, type JsonObject, listField, textField } from '@weft/node-catalogue';
import { OPENAI } from '../langchain/openai/openai-service';
import { optionsOf } from '../langchain/vendor/read-parameters';
import { runOperation, type RunOperation, single } from '../langchain/vendor/run-operation';
import { requestJson } from '../langchain/vendor/service';
import type { SingleOperation } from '../langchain/vendor/single-operation';
import type { MadeItem } from '../shared/each-item';
import { decodeBase64Field } from '../shared/files/base64';
import { storeFile } from '../shared/files/item-files';
import { booleanParameter, objectsParameter, textParameter } from '../shared/read-parameter';

/** Names of options in the request. */
const NAMES: Readonly<Record<string, string>> = { maxTokens: 'max_tokens', topP: 'top_p' };

const bodyOf = (context: NodeContext, itemIndex: number, fields: JsonObject): JsonObject => {
  const options = Object.entries(optionsOf(context, itemIndex)).map(([name, value]) => [NAMES[name] ?? name, value]);
  return { ...fields, ...Object.fromEntries(options) };
};

/** A request with a JSON body, whose response has a list. */
interface Call {
  readonly path: string;
  readonly list: 'choices' | 'results';
  /** Fields of the body besides the options. */
  readonly fields: (context: NodeContext, itemIndex: number) => JsonObject;
  /** An entry in the simplified output; the entry itself if absent. */
  readonly shown?: (entry: JsonObject) => JsonObject;
}

const call =
  ({ path, list, fields, shown = (entry) => entry }: Call): SingleOperation =>
  async (context, itemIndex, budget) => {
    const value = bodyOf(context, itemIndex, fields(context, itemIndex));
    const response = await requestJson(context, OPENAI, { path, body: { kind: 'json', value }, itemIndex, budget });
    if (!booleanParameter(context, 'simplifyOutput', itemIndex)) return [{ json: response }];
    return listField(response, list)
      .filter(isJsonObject)
      .map((entry) => ({ json: shown(entry) }));
  };

/** Parameters that are sent as they are. */
const texts =
  (...names: readonly string[]) =>
  (context: NodeContext, itemIndex: number): JsonObject =>
    Object.fromEntries(names.map((name) => [name, textParameter(context, name, itemIndex)]));

const trimmed = (entry: JsonObject): JsonObject => {
  const text = textField(entry, 'text');
  return text === undefined ? entry : { ...entry, text: text.trim() };
};

const chat = call({
  path: '/chat/completions',
  list: 'choices',
  fields: (context, itemIndex) => {
    const messages: Json[] = objectsParameter(context, 'prompt.messages', itemIndex).map(
      ({ role = 'user', content = '' }) => ({ role: String(role), content: String(content) }),
    );
    const model = textParameter(context, context.version === 1 ? 'model' : 'chatModel', itemIndex);
    return { model, messages };
  },
});

const createImage: SingleOperation = async (context, itemIndex, budget) => {
  const asAddress = textParameter(context, 'responseFormat', itemIndex) === 'imageUrl';
  const value = bodyOf(context, itemIndex, {
    prompt: textParameter(context, 'prompt', itemIndex),
    model: textParameter(context, context.version === 1 ? 'model' : 'imageModel', itemIndex),
    response_format: asAddress ? 'url' : 'b64_json',
  });
  const path = '/images/generations';
  const response = await requestJson(context, OPENAI, { path, body: { kind: 'json', value }, itemIndex, budget });
  const images = listField(response, 'data').filter(isJsonObject);
  if (asAddress) return images.map((json) => ({ json }));
  const items: MadeItem[] = [];
  for (const image of images) {
    const { bytes } = decodeBase64Field(image['b64_json'] ?? null, 'The image of the service', itemIndex);
    items.push({ json: {}, binary: { data: await storeFile(context.ports.files, bytes, 'data') } });
  }
  return items;
};

const OPERATIONS: Readonly<Record<string, RunOperation>> = {
  'chat complete': single(chat),
  'image create': single(createImage),
  'text complete': single(
    call({ path: '/completions', list: 'choices', fields: texts('model', 'prompt'), shown: trimmed }),
  ),
  'text edit': single(
    call({ path: '/edits', list: 'choices', fields: texts('model', 'input', 'instruction'), shown: trimmed }),
  ),
  'text moderate': single(call({ path: '/moderations', list: 'results', fields: texts('model', 'input') })),
};

/** The older node of OpenAI, with one request for each item. */
export const openAiOlder: NodeExecutor = {
  kind: 'openAi',
  actsOutside: true,
  run: (context) => runOperation(context, OPERATIONS),
};
