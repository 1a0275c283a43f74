import { type NodeContext, NodeFailure } from '@weft/engine';
import type { ChatSettings } from '@weft/models';
import {
  booleanField,
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/node-catalogue';
import { booleanParameter, toJsonObject } from '../../shared/read-parameter';
import { modelIdOf, optionsOf } from '../vendor/read-parameters';
import { readPrompts, type Roles } from '../vendor/read-prompts';
import type { TextOperation } from '../vendor/text-operation';
import { geminiModel, itemsOfResponse } from './gemini-service';

/** Rounds of tools by default. */
const ROUNDS = 15;
const ROLES: Roles = { user: 'user', model: 'assistant' };
/** The first version with built-in tools and merged answers. */
const TOOLS_SINCE = 1.1;

/** Asks a model, which may call the attached tools. */
export const message: TextOperation = {
  read: (context, itemIndex) => {
    const options = optionsOf(context, itemIndex);
    const system = textField(options, 'systemMessage') ?? '';
    const messages = readPrompts(context, ROLES, itemIndex);
    return Promise.resolve({
      choice: geminiModel(modelIdOf(context, itemIndex)),
      messages: system === '' ? messages : [{ role: 'system', content: system }, ...messages],
      settings: settingsOf(context, options, itemIndex),
      rounds: numberField(options, 'maxToolsIterations') ?? ROUNDS,
    });
  },
  itemsOf: (raw, context, itemIndex) => {
    const isMerged = booleanField(optionsOf(context, itemIndex), 'includeMergedResponse') === true;
    const candidates = listField(raw, 'candidates').filter(isJsonObject);
    const shown = isMerged ? candidates.map((one) => ({ ...one, mergedResponse: textOf(one) })) : candidates;
    return itemsOfResponse(raw, shown, booleanParameter(context, 'simplify', itemIndex, true));
  },
};

function settingsOf(context: NodeContext, options: JsonObject, itemIndex: number): ChatSettings {
  const candidateCount = numberField(options, 'candidateCount');
  const builtIn = builtInTools(context, options, itemIndex);
  return {
    frequencyPenalty: numberField(options, 'frequencyPenalty'),
    presencePenalty: numberField(options, 'presencePenalty'),
    maxTokens: numberField(options, 'maxOutputTokens'),
    temperature: numberField(options, 'temperature'),
    topP: numberField(options, 'topP'),
    topK: numberField(options, 'topK'),
    thinkingTokens: numberField(options, 'thinkingBudget'),
    json: booleanParameter(context, 'jsonOutput', itemIndex),
    body: { ...builtIn, ...(candidateCount === undefined ? {} : { generationConfig: { candidateCount } }) },
  };
}

/** Tools that the service runs itself. @throws NodeFailure for names of file stores that are not a list */
function builtInTools(context: NodeContext, options: JsonObject, itemIndex: number): JsonObject {
  if (context.version < TOOLS_SINCE)
    return booleanField(options, 'codeExecution') === true ? { tools: [{ codeExecution: {} }] } : {};
  const chosen = toJsonObject(context.parameter('builtInTools', itemIndex)) ?? {};
  const [maps, search] = [objectField(chosen, 'googleMaps'), objectField(chosen, 'fileSearch')];
  const isOn = (name: string): JsonObject[] => (chosen[name] === true ? [{ [name]: {} }] : []);
  const tools: Json[] = [
    ...isOn('googleSearch'),
    ...(maps === undefined ? [] : [{ googleMaps: {} }]),
    ...isOn('urlContext'),
    ...(search === undefined ? [] : [{ fileSearch: storesOf(search, itemIndex) }]),
    ...isOn('codeExecution'),
  ];
  const place = maps === undefined ? undefined : placeOf(maps);
  return {
    ...(tools.length === 0 ? {} : { tools }),
    ...(place === undefined ? {} : { toolConfig: { retrievalConfig: { latLng: place } } }),
  };
}

function placeOf({ latitude = '', longitude = '' }: JsonObject): JsonObject | undefined {
  if (latitude === '' || longitude === '') return undefined;
  return { latitude: Number(latitude), longitude: Number(longitude) };
}

function storesOf(search: JsonObject, itemIndex: number): JsonObject {
  const filter = textField(search, 'metadataFilter') ?? '';
  const names = namesOf(search['fileSearchStoreNames'] ?? '');
  if (names === undefined)
    throw new NodeFailure('The names of file stores must be a JSON list of strings', {
      itemIndex,
      description: 'Write them as ["fileSearchStores/one"] in the built-in tool "File search".',
    });
  return {
    ...(names.length === 0 ? {} : { fileSearchStoreNames: names }),
    ...(filter === '' ? {} : { metadataFilter: filter }),
  };
}

/** Undefined for anything but a list of strings, or its JSON. */
function namesOf(given: Json): string[] | undefined {
  let list: unknown = given;
  try {
    if (typeof given === 'string') list = given.trim() === '' ? [] : JSON.parse(given);
  } catch {
    return undefined;
  }
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
}

function textOf(candidate: JsonObject): string {
  const parts = listField(objectField(candidate, 'content'), 'parts');
  return parts.map((part) => textField(part, 'text') ?? '').join('');
}
