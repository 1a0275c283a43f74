import type { Json, JsonObject } from '@weft/node-catalogue';
import type { Item } from '../engine/items';
import type { NodeContext, NodeExecutor } from '../engine/node';
import { NodeFailure } from '../engine/node-failure';
import type { HttpAnswer } from '../engine/ports';
import { toJson } from '../expressions';
import { booleanParameter, choiceParameter, numberParameter, objectsParameter, textParameter } from './read-parameter';
import { parseLooseJson } from './values/loose-json';

const KINDS = ['allIncomingItems', 'firstIncomingItem', 'json', 'noData', 'redirect', 'text'] as const;

/** Answers the request that started the run, then passes its items on. */
export const respondToWebhook: NodeExecutor = {
  kind: 'respondToWebhook',
  actsOutside: true,
  outputCount: (shape) => (hasResponseOutput(shape.version, shape.rawParameter('enableResponseOutput') === true) ? 2 : 1),
  run: (context) => {
    if (context.version >= 1.1 && !context.hasUpstream('webhook')) {
      throw new NodeFailure('No Webhook node found in the workflow', {
        description: 'Put a Webhook node before this one and let it answer by a Respond to Webhook node.',
      });
    }
    const answer = buildAnswer(context);
    const items = context.items.map((item, index): Item => ({ ...item, pairedItem: { item: index } }));
    if (!hasResponseOutput(context.version, booleanParameter(context, 'enableResponseOutput', 0))) return { kind: 'respond', answer, outputs: [items] };
    return { kind: 'respond', answer, outputs: [items, [{ json: { response: describeAnswer(answer) } }]] };
  },
};

function hasResponseOutput(version: number, enabled: boolean): boolean {
  return version === 1.3 || (version >= 1.4 && enabled);
}

function describeAnswer({ status, headers, body }: HttpAnswer): JsonObject {
  const text = typeof body === 'string' ? body : '';
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  return { statusCode: status, headers: { ...headers }, body: isJson ? parseLooseJson(text) ?? text : text };
}

function buildAnswer(context: NodeContext): HttpAnswer {
  const kind = choiceParameter(context, 'respondWith', 0, KINDS, 'firstIncomingItem');
  const status = responseCode(context, kind === 'redirect' ? 307 : 200);
  const headers = responseHeaders(context);
  const json = (value: Json): HttpAnswer => ({ status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body: JSON.stringify(value) });
  switch (kind) {
    case 'allIncomingItems': return json(keyed(context, context.items.map((item) => item.json)));
    case 'firstIncomingItem': return json(keyed(context, context.items[0]?.json ?? {}));
    case 'json': return json(responseJson(context));
    case 'noData': return { status, headers, body: '' };
    case 'redirect': return { status, headers: { ...headers, location: textParameter(context, 'redirectURL', 0) }, body: '' };
    case 'text': return { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body: textParameter(context, 'responseBody', 0) };
  }
}

function responseCode(context: NodeContext, initial: number): number {
  const code = numberParameter(context, 'options.responseCode', 0, initial);
  if (Number.isInteger(code) && code >= 200 && code <= 599) return code;
  throw new NodeFailure(`The response code ${code} is no HTTP status from 200 to 599`);
}

function responseHeaders(context: NodeContext): Record<string, string> {
  const entries = objectsParameter(context, 'options.responseHeaders.entries', 0);
  return Object.fromEntries(entries.map(({ name, value }): [string, string] => {
    const header = String(name ?? '').trim().toLowerCase();
    // Whatever could end a header line early would let a workflow's data write headers of its own.
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(header)) throw new NodeFailure(`"${header.slice(0, 100)}" is no name for a header`);
    return [header, String(value ?? '').replace(/[\r\n\0]+/g, ' ')];
  }));
}

function keyed(context: NodeContext, value: Json): Json {
  const key = textParameter(context, 'options.responseKey', 0);
  return key === '' ? value : { [key]: value };
}

function responseJson(context: NodeContext): Json {
  const value = context.parameter('responseBody', 0);
  const json = typeof value === 'string' ? parseLooseJson(value) : toJson(value);
  if (json !== undefined) return json;
  throw new NodeFailure("Invalid JSON in 'Response Body' field", { description: 'Check quotes, commas and brackets, and that the value is not empty.' });
}
