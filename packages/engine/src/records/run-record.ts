import type { JsonObject } from '@weft/node-catalogue/definitions';
import type { AttachmentType } from '@weft/node-catalogue/definitions';
import type { Item } from '../items/items';

/** The node run whose output filled an input. `previousNodeOutput` and `previousNodeRun` are left out when 0. */
export interface RunSource {
  readonly previousNode: string;
  readonly previousNodeOutput?: number;
  readonly previousNodeRun?: number;
}

/** An error as stored in run records, and for the run as a whole. */
export interface ExecutionError {
  readonly name: string;
  readonly message: string;
  readonly description?: string;
  readonly context?: JsonObject;
  /** The node that failed. */
  readonly node?: { readonly name: string; readonly type: string };
}

/** Items by type of connection, and then by output index; `main` for all nodes but sub-nodes. */
export type RecordedItems = { readonly [Type in 'main' | AttachmentType]?: readonly (readonly Item[])[] };

/** One run of one node, in the shape that clients read under `data.resultData.runData[node][run]`. */
export interface NodeRunRecord {
  /** Unix milliseconds. */
  readonly startTime: number;
  /** Milliseconds, retries and the waits between them included. */
  readonly executionTime: number;
  /** Position of this run among all node runs of the execution, from 0. */
  readonly executionIndex: number;
  /** One entry per input; null for an input that got nothing. Empty for the node the run started at. */
  readonly source: readonly (RunSource | null)[];
  readonly hints: readonly JsonObject[];
  readonly executionStatus: 'success' | 'error';
  /** Absent if the node failed and the run ended there, or if a call of a sub-node failed. */
  readonly data?: RecordedItems;
  /** For runs of sub-nodes: what the node that uses it passed to it. */
  readonly inputOverride?: RecordedItems;
  readonly error?: ExecutionError;
  /** Console output of the node's code, one text for each call. Absent if nothing was written. */
  readonly console?: readonly string[];
  /** Facts about the run other than items, such as `subExecution`. Absent if empty. */
  readonly metadata?: JsonObject;
  /** True if the items are the node's pins: the node itself did not run. */
  readonly pinned?: true;
}

/** All node runs of an execution: by node name, in the order in which that node ran. */
export type RunData = ReadonlyMap<string, readonly NodeRunRecord[]>;
