import { isJsonObject, type Json } from '@weft/node-catalogue';
import { type Item, type NodeContext, type NodeResult, output } from '@weft/engine';
import { runHttpRequest } from '../../../http-request/executor';
import { textParameter } from '../../../shared/read-parameter';
import { optimizedBody, optimizesResponse } from './optimize-response';

/** Makes the request of an HTTP Request node that is a tool, and shortens the response as the node says. */
export async function runHttpRequestTool(context: NodeContext): Promise<NodeResult> {
  const result = await runHttpRequest(context, context.ports.files);
  if (result.kind !== 'items' || !optimizesResponse(context, 0)) return result;
  const all = result.outputs[0] ?? [];
  const property = textParameter(context, 'options.response.response.outputPropertyName', 0) || 'data';
  const isFull = context.parameter('options.response.response.fullResponse', 0) === true;
  const items: Item[] = [];
  for (const index of context.items.keys()) {
    const own = all.filter(({ pairedItem }) => isJsonObject(pairedItem) && pairedItem['item'] === index);
    items.push(
      ...(isFull ? await fullItems(context, own, property, index) : await shortItems(context, own, property, index)),
    );
  }
  return output(items);
}

/** Items with headers and status, whose bodies are shortened. */
async function fullItems(
  context: NodeContext,
  items: readonly Item[],
  property: string,
  index: number,
): Promise<Item[]> {
  const made: Item[] = [];
  for (const { json, ...rest } of items) {
    const field = Object.hasOwn(json, 'body') ? 'body' : property;
    made.push({ ...rest, json: { ...json, [field]: await optimizedBody(context, json[field] ?? null, index) } });
  }
  return made;
}

/** Items of one response, which become the items of the shortened response. */
async function shortItems(
  context: NodeContext,
  items: readonly Item[],
  property: string,
  index: number,
): Promise<Item[]> {
  const isFailed = (json: Item['json']): boolean => context.continueOnFail && json['error'] !== undefined;
  if (items.some(({ binary, json }) => binary !== undefined || isFailed(json))) return [...items];
  const short = await optimizedBody(context, bodyOf(items, property), index);
  const pairedItem = { item: index };
  if (!Array.isArray(short)) return [{ json: { [property]: short }, pairedItem }];
  return short.map((entry) => ({ json: isJsonObject(entry) ? entry : { [property]: entry }, pairedItem }));
}

/** The response that became these items: text, an object, or a list. */
function bodyOf(items: readonly Item[], property: string): Json {
  const [first] = items;
  if (first === undefined || items.length > 1) return items.map(({ json }) => json);
  const names = Object.keys(first.json);
  const text = first.json[property];
  return names.length === 1 && typeof text === 'string' ? text : first.json;
}
