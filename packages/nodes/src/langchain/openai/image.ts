import type { NodeContext } from '@weft/engine';
import type { ContentPart } from '@weft/models';
import {
  field,
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  numberField,
  textField,
} from '@weft/node-catalogue';
import type { MadeItem } from '../../shared/each-item';
import { decodeBase64Field } from '../../shared/files/base64';
import { booleanParameter, textParameter } from '../../shared/read-parameter';
import { callModel } from '../vendor/call-model';
import { addressPart, fileNames, filePart } from '../vendor/file-parts';
import { modelIdOf, optionsOf, promptOf } from '../vendor/read-parameters';
import { requestJson } from '../vendor/service';
import type { SingleOperation } from '../vendor/single-operation';
import { storedItem } from '../vendor/stored-item';
import { OPENAI, openAiModel } from './openai-service';

/** Tokens of an answer about images. */
const ANSWER_TOKENS = 300;
/** The first versions with a choice of the model for questions, and of any model for new images. */
const [ANALYZES_WITH, GENERATES_WITH] = [1.4, 2.2];

/** Asks a model about images. */
export const analyzeImage: SingleOperation = async (context, itemIndex) => {
  const text = promptOf(context, 'text', itemIndex);
  const usesResponses = context.version >= 2;
  const model = context.version >= ANALYZES_WITH ? modelIdOf(context, itemIndex) : 'gpt-4-vision-preview';
  const maxTokens = numberField(optionsOf(context, itemIndex), 'maxTokens') || ANSWER_TOKENS;
  const images = await imagesOf(context, itemIndex);
  const { raw } = await callModel(
    context,
    openAiModel({ model, usesResponses, options: { maxTokens } }),
    { messages: [{ role: 'user', content: [{ type: 'text', text }, ...images] }] },
    itemIndex,
  );
  if (!booleanParameter(context, 'simplify', itemIndex)) return [{ json: raw }];
  // a list becomes an item with its entries by index
  if (usesResponses) return [{ json: Object.fromEntries(listField(raw, 'output').entries()) }];
  return [{ json: { content: field(field(listField(raw, 'choices')[0], 'message'), 'content') ?? null } }];
};

async function imagesOf(context: NodeContext, itemIndex: number): Promise<ContentPart[]> {
  const isUrl = textParameter(context, 'inputType', itemIndex) === 'url';
  const names = fileNames(context, isUrl ? 'imageUrls' : 'binaryPropertyName', itemIndex);
  const images: ContentPart[] = [];
  for (const name of names)
    images.push(isUrl ? addressPart(name, 'image/*', itemIndex) : await filePart(context, name, itemIndex));
  return images;
}

/** Makes images from a text. */
export const generateImage: SingleOperation = async (context, itemIndex, budget) => {
  const prompt = promptOf(context, 'prompt', itemIndex);
  const model =
    context.version >= GENERATES_WITH ? modelIdOf(context, itemIndex) : textParameter(context, 'model', itemIndex);
  const { binaryPropertyOutput, dalleQuality, returnImageUrls, ...options } = optionsOf(context, itemIndex);
  // models of this family always answer with files
  const hasChoice = !model.startsWith('gpt-image');
  const asAddress = hasChoice && returnImageUrls === true;
  const body: JsonObject = {
    prompt,
    model,
    ...(hasChoice ? { response_format: asAddress ? 'url' : 'b64_json' } : {}),
    ...options,
    ...(dalleQuality === undefined || dalleQuality === '' ? {} : { quality: dalleQuality }),
  };
  const response = await requestJson(context, OPENAI, {
    path: '/images/generations',
    body: { kind: 'json', value: body },
    itemIndex,
    budget,
  });
  const images = listField(response, 'data');
  if (asAddress) return images.filter(isJsonObject).map((json) => ({ json }));
  const property =
    typeof binaryPropertyOutput === 'string' && binaryPropertyOutput !== '' ? binaryPropertyOutput : 'data';
  const items: MadeItem[] = [];
  for (const image of images) items.push(await fileItem(context, image, property, itemIndex));
  return items;
};

async function fileItem(context: NodeContext, image: Json, property: string, itemIndex: number): Promise<MadeItem> {
  const { bytes } = decodeBase64Field(textField(image, 'b64_json') ?? null, 'The image of the service', itemIndex);
  return storedItem(context, bytes, property, 'data');
}
