import type { JsonObject } from '@weft/node-catalogue';
import { type HttpResponse, type Item, type NodeContext, type NodeExecutor, NodeFailure } from '@weft/engine';
import { booleanParameter } from '../shared/read-parameter';
import { parseLooseJson } from '../shared/values/loose-json';
import { buildAnswer } from './build-answer';

/** Kinds with a caller that can be answered. */
const CALLED = ['webhook', 'formTrigger', 'form', 'wait'];

/** Answers the request that started or resumed the run, then passes its items on. */
export const respondToWebhook: NodeExecutor = {
  kind: 'respondToWebhook',
  actsOutside: true,
  outputCount: (shape) =>
    hasResponseOutput(shape.version, shape.rawParameter('enableResponseOutput') === true) ? 2 : 1,
  run: async (context) => {
    checkUpstream(context);
    const answer = await buildAnswer(context);
    const items = context.items.map((item, index): Item => ({ ...item, pairedItem: { item: index } }));
    if (!hasResponseOutput(context.version, booleanParameter(context, 'enableResponseOutput', 0)))
      return { kind: 'respond', response: answer, outputs: [items] };
    return { kind: 'respond', response: answer, outputs: [items, [{ json: { response: describeAnswer(answer) } }]] };
  },
};

function checkUpstream(context: NodeContext): void {
  if (context.version < 1.1 || CALLED.some((kind) => context.hasUpstream(kind))) return;
  throw new NodeFailure('No Webhook node found in the workflow', {
    description: 'Put a Webhook node before this one and let it answer by a Respond to Webhook node.',
  });
}

function hasResponseOutput(version: number, enabled: boolean): boolean {
  return version === 1.3 || (version >= 1.4 && enabled);
}

function describeAnswer({ status, headers, body, fileId }: HttpResponse): JsonObject {
  if (fileId !== undefined)
    return { statusCode: status, headers: { ...headers }, body: { binaryData: { id: fileId } } };
  const text = typeof body === 'string' ? body : '';
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  return { statusCode: status, headers: { ...headers }, body: isJson ? (parseLooseJson(text) ?? text) : text };
}
