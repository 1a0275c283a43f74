import { type NodeContext, NodeFailure } from '@weft/engine';
import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { objectsParameter } from '../../shared/read-parameter';
import { optionsOf, pathId } from '../vendor/read-parameters';
import { MAX_MESSAGES } from '../vendor/read-prompts';
import { requestJson, type ServiceRequest } from '../vendor/service';
import type { SingleOperation } from '../vendor/single-operation';
import { OPENAI } from './openai-service';

/** Creates a conversation that the service stores, with its first messages. */
export const createConversation: SingleOperation = async (context, itemIndex, budget) => {
  const given = objectsParameter(context, 'messages.values', itemIndex);
  if (given.length > MAX_MESSAGES)
    throw new NodeFailure(`The node has ${given.length} messages; at most ${MAX_MESSAGES} are allowed`, { itemIndex });
  const metadata = metadataOf(optionsOf(context, itemIndex)['metadata'], itemIndex);
  const value: JsonObject = {
    items: given.map(({ role = 'user', content }) => messageOf(String(role), content)),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
  return send(context, { path: '/conversations', body: { kind: 'json', value }, itemIndex, budget });
};

/** Gives the facts of a conversation. */
export const getConversation: SingleOperation = (context, itemIndex, budget) =>
  send(context, { method: 'GET', path: pathOf(context, itemIndex), itemIndex, budget });

/** Deletes a conversation. */
export const deleteConversation: SingleOperation = (context, itemIndex, budget) =>
  send(context, { method: 'DELETE', path: pathOf(context, itemIndex), itemIndex, budget });

/** Replaces the metadata of a conversation. */
export const updateConversation: SingleOperation = (context, itemIndex, budget) => {
  const metadata = metadataOf(context.parameter('metadata', itemIndex), itemIndex);
  const path = pathOf(context, itemIndex);
  return send(context, { path, body: { kind: 'json', value: { metadata } }, itemIndex, budget });
};

const send = async (context: NodeContext, request: ServiceRequest) => [
  { json: await requestJson(context, OPENAI, request) },
];

const pathOf = (context: NodeContext, itemIndex: number): string =>
  `/conversations/${pathId(context, 'conversationId', itemIndex)}`;

function messageOf(role: string, content: unknown): JsonObject {
  const text = typeof content === 'string' ? content : JSON.stringify(content ?? '');
  const part: Json =
    role === 'assistant' ? { type: 'output_text', text, annotations: [] } : { type: 'input_text', text };
  return { role, content: [part] };
}

/** @throws NodeFailure for anything but an object of strings, or its JSON */
function metadataOf(given: unknown, itemIndex: number): JsonObject {
  let value: unknown = given ?? {};
  try {
    if (typeof value === 'string') value = value.trim() === '' ? {} : JSON.parse(value);
  } catch {
    value = undefined;
  }
  if (isJsonObject(value) && Object.values(value).every((one) => typeof one === 'string')) return value;
  throw new NodeFailure('Metadata must be a JSON object with strings as its values', {
    itemIndex,
    description: 'Write it as {"customer": "42"}.',
  });
}
