import type { Json, WorkflowDefinition } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import type { Item } from './items';

/** The pinned items by node name. A pin that is no item (`{ json }`) is taken to be the item's JSON. */
export function readPins(pinData: WorkflowDefinition['pinData']): ReadonlyMap<string, readonly Item[]> {
  return new Map(Object.entries(pinData).map(([node, pins]) => [node, pins.flatMap(readPin)]));
}

function readPin(pin: Json): Item[] {
  if (!isJsonObject(pin)) return [];
  return [{ json: isJsonObject(pin['json']) ? pin['json'] : pin }];
}
