import { type NodeContext, NodeFailure } from '@weft/engine';
import {
  field,
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/node-catalogue';
import { extension } from 'mime-types';
import type { MadeItem } from '../../shared/each-item';
import { decodeBase64Field } from '../../shared/files/base64';
import { objectsParameter, textParameter } from '../../shared/read-parameter';
import { modelIdOf, optionsOf, promptOf } from '../vendor/read-parameters';
import { requestJson, requestService } from '../vendor/service';
import type { SingleOperation } from '../vendor/single-operation';
import { storedItem } from '../vendor/stored-item';
import { GEMINI, modelPath } from './gemini-service';
import { type Place, typeOf } from '../vendor/download';
import { uploadProperty } from './upload';

/** Milliseconds between two looks at a video, and the number of looks: 15 minutes. */
const [LOOK_MS, MAX_LOOKS] = [5_000, 180];
/** Images that one item may send to be edited. */
const MAX_IMAGES = 20;
/** The model that edits images if none is chosen. */
const EDITS_WITH = 'models/gemini-2.5-flash-image-preview';

/** Makes images from a text, with a model of the families Gemini or Imagen. */
export const generateImage: SingleOperation = async (context, itemIndex, budget) => {
  const model = modelIdOf(context, itemIndex);
  const prompt = promptOf(context, 'prompt', itemIndex);
  const property = propertyOf(context, itemIndex, 'data');
  const place = { itemIndex, budget };
  if (model.includes('gemini'))
    return imagesOf(
      context,
      await generate(context, model, [{ text: prompt }], ['IMAGE', 'TEXT'], place),
      property,
      place,
    );
  if (!model.includes('imagen'))
    throw new NodeFailure(`The model "${model}" does not make images`, {
      itemIndex,
      description: 'Choose a model of the families Gemini (image) or Imagen.',
    });
  const sampleCount = numberField(optionsOf(context, itemIndex), 'sampleCount') ?? 1;
  const response = await requestJson(context, GEMINI, {
    ...place,
    path: modelPath(model, 'predict'),
    body: { kind: 'json', value: { instances: [{ prompt }], parameters: { sampleCount } } },
  });
  const items: MadeItem[] = [];
  for (const one of listField(response, 'predictions'))
    items.push(await imageItem(context, field(one, 'bytesBase64Encoded'), textField(one, 'mimeType'), property, place));
  return items;
};

/** Makes an image from images of the item and a text. */
export const editImage: SingleOperation = async (context, itemIndex, budget) => {
  const prompt = promptOf(context, 'prompt', itemIndex);
  const place = { itemIndex, budget };
  const names = objectsParameter(context, 'images.values', itemIndex)
    .map(({ binaryPropertyName = 'data' }) => String(binaryPropertyName))
    .filter((name) => name !== '');
  if (names.length > MAX_IMAGES)
    throw new NodeFailure(`The item has ${names.length} images; at most ${MAX_IMAGES} are sent`, { itemIndex });
  const parts: JsonObject[] = [];
  for (const name of names) {
    const { mimeType, fileUri } = await uploadProperty(context, name, place);
    parts.push({ fileData: { mimeType, fileUri } });
  }
  const model = modelIdOf(context, itemIndex) || EDITS_WITH;
  const response = await generate(context, model, [...parts, { text: prompt }], ['IMAGE'], place);
  return imagesOf(context, response, propertyOf(context, itemIndex, 'edited'), place);
};

function generate(
  context: NodeContext,
  model: string,
  parts: readonly JsonObject[],
  responseModalities: readonly string[],
  place: Place,
): Promise<JsonObject> {
  const value: JsonObject = {
    contents: [{ role: 'user', parts: [...parts] }],
    generationConfig: { responseModalities: [...responseModalities] },
  };
  return requestJson(context, GEMINI, {
    ...place,
    path: modelPath(model, 'generateContent'),
    body: { kind: 'json', value },
  });
}

/** An item for the image of each candidate. @throws NodeFailure for a candidate without one */
async function imagesOf(
  context: NodeContext,
  response: JsonObject,
  property: string,
  place: Place,
): Promise<readonly MadeItem[]> {
  const items: MadeItem[] = [];
  for (const candidate of listField(response, 'candidates')) {
    const parts = listField(field(candidate, 'content'), 'parts');
    const image = parts.map((part) => objectField(part, 'inlineData')).find((one) => one !== undefined);
    if (image === undefined)
      throw new NodeFailure('The model gave no image', {
        itemIndex: place.itemIndex,
        description:
          wordsOf(parts) || `It stopped with the reason ${textField(candidate, 'finishReason') ?? 'unknown'}.`,
      });
    items.push(await imageItem(context, image['data'], textField(image, 'mimeType'), property, place));
  }
  return items;
}

const wordsOf = (parts: readonly Json[]): string =>
  parts
    .map((part) => textField(part, 'text') ?? '')
    .join('')
    .slice(0, 500);

function imageItem(
  context: NodeContext,
  data: Json | undefined,
  mimeType: string | undefined,
  property: string,
  { itemIndex }: Place,
): Promise<MadeItem> {
  const { bytes } = decodeBase64Field(data ?? null, 'The image of the service', itemIndex);
  return storedItem(context, bytes, property, fileName('image', mimeType, 'png'), mimeType);
}

const fileName = (base: string, mimeType: string | undefined, ending: string): string =>
  `${base}.${(mimeType === undefined ? false : extension(mimeType)) || ending}`;

const propertyOf = (context: NodeContext, itemIndex: number, initial: string): string =>
  textField(optionsOf(context, itemIndex), 'binaryPropertyOutput') || initial;

/** Makes videos from a text. The service works on them for minutes. */
export const generateVideo: SingleOperation = async (context, itemIndex, budget) => {
  const model = modelIdOf(context, itemIndex);
  const prompt = promptOf(context, 'prompt', itemIndex);
  if (!model.includes('veo'))
    throw new NodeFailure(`The model "${model}" does not make videos`, {
      itemIndex,
      description: 'Choose a model of the family Veo.',
    });
  const place = { itemIndex, budget };
  const { aspectRatio, personGeneration, durationSeconds, sampleCount = 1 } = optionsOf(context, itemIndex);
  const given = { aspectRatio, personGeneration, sampleCount, durationSeconds };
  const parameters: JsonObject = JSON.parse(JSON.stringify(given));
  const begun = await requestJson(context, GEMINI, {
    ...place,
    path: modelPath(model, 'predictLongRunning'),
    body: { kind: 'json', value: { instances: [{ prompt }], parameters } },
  });
  const done = await untilDone(context, begun, place);
  const samples = listField(objectField(objectField(done, 'response'), 'generateVideoResponse'), 'generatedSamples');
  const addresses = samples.map((sample) => textField(field(sample, 'video'), 'uri') ?? '');
  if (textParameter(context, 'returnAs', itemIndex, 'video') === 'url')
    return addresses.map((url) => ({ json: { url } }));
  const items: MadeItem[] = [];
  for (const url of addresses) items.push(await videoItem(context, url, place));
  return items;
};

/** Downloads a video that the service made. */
export const downloadVideo: SingleOperation = async (context, itemIndex, budget) => [
  await videoItem(context, textParameter(context, 'url', itemIndex), { itemIndex, budget }),
];

async function untilDone(context: NodeContext, begun: JsonObject, place: Place): Promise<JsonObject> {
  const { itemIndex } = place;
  let operation = begun;
  for (let looks = 0; operation['done'] !== true; looks += 1) {
    const name = textField(operation, 'name');
    if (name === undefined) throw new NodeFailure('The service did not name the work on the video', { itemIndex });
    if (looks >= MAX_LOOKS)
      throw new NodeFailure(`The video is not ready after ${(LOOK_MS * MAX_LOOKS) / 60_000} minutes`, { itemIndex });
    await context.ports.clock.sleep(LOOK_MS, context.signal);
    operation = await requestJson(context, GEMINI, { ...place, method: 'GET', path: `/v1beta/${name}` });
  }
  const { error } = operation;
  if (isJsonObject(error))
    throw new NodeFailure(textField(error, 'message') ?? 'The service could not make the video', { itemIndex });
  return operation;
}

/** @throws NodeFailure for an address on another host than that of the credential, which must not get the key */
async function videoItem(context: NodeContext, url: string, place: Place): Promise<MadeItem> {
  if (!/^https?:\/\//i.test(url))
    throw new NodeFailure('The address of the video must begin with http:// or https://', {
      itemIndex: place.itemIndex,
    });
  const response = await requestService(context, GEMINI, { ...place, method: 'GET', path: url });
  place.budget.giveBack(response.body.length);
  const mimeType = typeOf(response.headers['content-type'], 'video/mp4');
  const property = propertyOf(context, place.itemIndex, 'data');
  return storedItem(context, response.body, property, fileName('video', mimeType, 'mp4'), mimeType);
}
