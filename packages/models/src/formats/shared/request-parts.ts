import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import type {
  AssistantMessage,
  ChatMessage,
  ChatSettings,
  ContentPart,
  ModelFormat,
  SystemMessage,
  UserMessage,
} from '../../chat-model';
import { ModelError } from '../../model-error';

/** The parts of a user's message. */
export const partsOf = ({ content }: UserMessage): readonly ContentPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** The system messages joined, or undefined. For formats with a single field for them. */
export const systemTextOf = (messages: readonly ChatMessage[]): string | undefined => {
  const system = messages.filter((message): message is SystemMessage => message.role === 'system');
  return system.length === 0 ? undefined : system.map(({ content }) => content).join('\n\n');
};

/** Content of an earlier response in the same format, or undefined. */
export const nativeOf = ({ native }: AssistantMessage, format: ModelFormat): Json | undefined =>
  native?.format === format ? native.content : undefined;

/** A file as a data URL. */
export const dataUrl = ({ mimeType, data }: { readonly mimeType: string; readonly data: string }): string =>
  `data:${mimeType};base64,${data}`;

/** @returns never @throws ModelError: the format has no place for files of this type */
export const refuseFile = (format: ModelFormat, { mimeType }: { readonly mimeType: string }): never => {
  throw new ModelError(
    'UNSUPPORTED',
    `Files of type "${mimeType}" cannot be sent to this model (${format}). Send an image, or the text of the file.`,
  );
};

/** The fields of an object that have a value. */
export const present = (fields: Readonly<Record<string, Json | undefined>>): JsonObject => {
  const own: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) own[name] = value;
  return own;
};

/** An object, or undefined if it has no fields. */
export const unlessEmpty = (object: JsonObject): JsonObject | undefined =>
  Object.keys(object).length === 0 ? undefined : object;

/** The strings at which the response stops, or undefined. */
export const stopOf = ({ stop = [] }: ChatSettings): string[] | undefined =>
  stop.length === 0 ? undefined : [...stop];

/** Adds fields to a body. Objects are merged by one level and lists are joined; other added fields win. */
export const mergeBody = (body: JsonObject, added: JsonObject = {}): JsonObject => {
  const merged: JsonObject = { ...body };
  for (const [name, value] of Object.entries(added)) {
    const own = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (Array.isArray(own) && Array.isArray(value)) merged[name] = [...own, ...value];
    else merged[name] = isJsonObject(own) && isJsonObject(value) ? { ...own, ...value } : value;
  }
  return merged;
};

/** Asks for JSON in words, for services that cannot enforce a schema. */
export const schemaInstruction = (schema: JsonObject): string =>
  `Answer with one JSON object and nothing else. It must be valid for this JSON Schema:\n${JSON.stringify(schema)}`;
