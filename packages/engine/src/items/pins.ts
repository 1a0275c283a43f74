import type { Json, WorkflowDefinition } from '@weft/node-catalogue/definitions';
import { isJsonObject, numberField } from '@weft/node-catalogue/definitions';
import { isItemJson, type Item, type PairedItem } from './items';

/** The pinned items by node name. A pin that is not an item (`{ json }`) is taken to be the item's JSON. */
export function readPins(pinData: WorkflowDefinition['pinData']): ReadonlyMap<string, readonly Item[]> {
  return new Map(Object.entries(pinData).map(([node, pins]) => [node, pins.flatMap(readPin)]));
}

function readPin(pin: Json): Item[] {
  if (!isJsonObject(pin)) return [];
  const { json, pairedItem } = pin;
  if (!isItemJson(json)) return [{ json: pin }];
  const links = readLinks(pairedItem);
  return [{ json, ...(links.length === 0 ? {} : { pairedItem: links }) }];
}

/** The origin of a pinned item when it was pinned: that still holds as long as the nodes before it give the same. */
function readLinks(value: Json | undefined): PairedItem[] {
  return (Array.isArray(value) ? value : [value]).flatMap((entry): PairedItem[] => {
    if (typeof entry === 'number') return [{ item: entry }];
    const item = numberField(entry, 'item');
    const input = numberField(entry, 'input');
    return item === undefined ? [] : [{ item, ...(input === undefined ? {} : { input }) }];
  });
}
