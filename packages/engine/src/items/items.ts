import type { JsonObject } from '@weft/node-catalogue/definitions';

// These shapes are type aliases, not interfaces, so that they count as JSON where expressions read them.

/**
 * Origin of an item: item number `item` of input `input` (0 if absent) of the node that made it. With
 * `sourceOverwrite`, of what that node run gave instead: for nodes that hand out items which came in an earlier run.
 */
export type PairedItem = { item: number; input?: number; sourceOverwrite?: SourceOverwrite };

/** A node run and one of its outputs, as in `RunSource`. */
export type SourceOverwrite = { previousNode: string; previousNodeOutput?: number; previousNodeRun?: number };

/** A file that travels with an item. Its bytes lie elsewhere; `id` finds them. */
export type BinaryReference = {
  id: string;
  mimeType: string;
  /** `text`, `image`, `json` and so on; absent for types without such a word. */
  fileType?: string;
  fileName?: string;
  fileExtension?: string;
  /** In decimal units: `1.23 kB`. References of earlier versions have the number of bytes here. */
  fileSize: string | number;
  /** Absent in references of earlier versions: read it with `bytesOf`. */
  bytes?: number;
};

/** The failure of one item, as stored in the run record. */
export type ItemError = { message: string; name?: string; description?: string };

/**
 * The data that flows between nodes. Never changed after a node has returned it: other nodes may hold the same object.
 */
export interface Item {
  readonly json: JsonObject;
  readonly binary?: Readonly<Record<string, BinaryReference>>;
  /** Absent until the engine fills it in; still absent where no origin can be determined. */
  readonly pairedItem?: number | PairedItem | PairedItem[];
  /** Marks an item that stands for a failure of this one item. Seen by the engine only: nodes never get it as input. */
  readonly error?: ItemError;
}

/** Items of each output of a node, by output index. */
export type Outputs = readonly (readonly Item[])[];

/**
 * True for a value that an item can have as `json`: an object or, as Function nodes may return, a list. A list counts
 * as an object with the fields `0`, `1` and so on.
 */
export function isItemJson(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

/** An item that holds `json` and nothing else. */
export function itemOf(json: JsonObject): Item {
  return { json };
}

/** The links of an item to input items; empty if it has none. */
export function itemLinksOf(item: Item): readonly PairedItem[] {
  const { pairedItem } = item;
  if (pairedItem === undefined) return [];
  if (typeof pairedItem === 'number') return [{ item: pairedItem }];
  return Array.isArray(pairedItem) ? pairedItem : [pairedItem];
}
