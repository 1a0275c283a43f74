import type { Json, JsonObject } from '@weft/node-catalogue';
import { textField } from '@weft/node-catalogue';
import { type ExecutionMode, type Item, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { xmlToJson } from '../xml/xml-to-json';

/**
 * Outputs the request that started the run as one item `{ headers, params, query, body, webhookUrl, executionMode }`; a
 * body of XML as an object. A run that was started another way has the data of its start instead.
 */
export const webhook: NodeExecutor = {
  kind: 'webhook',
  actsOutside: false,
  run: (context) =>
    output(
      context.mode === 'webhook' ? context.items.map((item) => completeRequest(item, context.mode)) : context.items,
    ),
};

function completeRequest(item: Item, mode: ExecutionMode): Item {
  const initial: JsonObject = {
    headers: {},
    params: {},
    query: {},
    body: {},
    webhookUrl: '',
    executionMode: mode === 'manual' ? 'test' : 'production',
  };
  return { ...item, json: { ...initial, ...item.json, ...readBody(item.json) } };
}

/** Options for XML in bodies: names in lower case, attributes under `$`. */
const XML_OPTIONS: ReadonlyMap<string, boolean> = new Map([
  ['options.normalize', true],
  ['options.normalizeTags', true],
  ['options.mergeAttrs', false],
]);

function readBody({ headers, body }: JsonObject): { body?: Json } {
  const type = (textField(headers, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (typeof body !== 'string' || !/^(?:text\/xml|application\/xml|[\w/.-]+\+xml)$/.test(type)) return {};
  try {
    return {
      body: xmlToJson(
        { parameter: (path) => XML_OPTIONS.get(path), defaultOf: () => undefined },
        { json: { data: body } },
        0,
      ),
    };
  } catch (error) {
    // An unreadable body remains text: the workflow may know better.
    if (error instanceof NodeFailure) return {};
    throw error;
  }
}
