import type { JsonObject } from '@weft/node-catalogue';

/** Where an item comes from: item number `item` of input `input` (0 if absent) of the node that made it. */
export interface PairedItem {
  readonly item: number;
  readonly input?: number;
}

/** A file that travels with an item. Its bytes lie elsewhere; `id` finds them. */
export interface BinaryReference {
  readonly id: string;
  readonly mimeType: string;
  readonly fileName?: string;
  readonly fileExtension?: string;
  /** Bytes. */
  readonly fileSize: number;
}

/** What flows between nodes. Never changed after a node has given it: other nodes may hold the same object. */
export interface Item {
  readonly json: JsonObject;
  readonly binary?: Readonly<Record<string, BinaryReference>>;
  /** Absent until the engine fills it in; still absent where no pairing can be told. */
  readonly pairedItem?: number | PairedItem | readonly PairedItem[];
  /** Marks an item that stands for a failure of this one item. Seen by the engine only: nodes never get it as input. */
  readonly error?: ItemError;
}

/** The failure of one item, as it is kept in the run record. */
export interface ItemError {
  readonly message: string;
  readonly name?: string;
  readonly description?: string;
}

/** Items of each output of a node, by output index. */
export type Outputs = readonly (readonly Item[])[];

/** An item that holds `json` and nothing else. */
export function itemOf(json: JsonObject): Item {
  return { json };
}
