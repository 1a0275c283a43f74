import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { parseLooseJson } from '../shared/values/loose-json';

/** The JSON object that a Set node in the mode `raw` writes for one item. @throws NodeFailure if there is none */
export function rawJson(context: NodeContext, itemIndex: number): JsonObject {
  const value = context.jsonParameter('jsonOutput', itemIndex);
  const json = typeof value === 'string' ? parseLooseJson(value) : toJson(value);
  if (json === undefined) {
    throw new NodeFailure(`The 'JSON Output' in item ${itemIndex} contains invalid JSON`, {
      itemIndex,
      description: 'Check quotes, commas and brackets.',
    });
  }
  if (isJsonObject(json)) return json;
  throw new NodeFailure(`The 'JSON Output' in item ${itemIndex} does not contain a valid JSON object`, { itemIndex });
}
