import type { JsonObject } from '@weft/node-catalogue';
import type { Item } from '../engine/items';
import type { ExecutionMode, NodeExecutor } from '../engine/node';
import { output } from '../engine/node';

/**
 * Gives the request that started the run as one item `{ headers, params, query, body, webhookUrl, executionMode }`.
 * A run that was started another way has the data of its start instead.
 */
export const webhook: NodeExecutor = {
  kind: 'webhook',
  actsOutside: false,
  run: (context) => output(context.mode === 'webhook' ? context.items.map((item) => completeRequest(item, context.mode)) : context.items),
};

function completeRequest(item: Item, mode: ExecutionMode): Item {
  const initial: JsonObject = { headers: {}, params: {}, query: {}, body: {}, webhookUrl: '', executionMode: mode === 'manual' ? 'test' : 'production' };
  return { ...item, json: { ...initial, ...item.json } };
}
