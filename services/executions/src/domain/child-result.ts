import { ChunkNotFound } from './errors';
import type { ExecutionRecord } from './execution';
import { isEndState } from './execution-state';
import type { ReadExecution } from './ports';
import { eachStoredRun, readRecord, type RunDataPorts, type StoredRun } from './run-records';

/** The part of an ended child that its parent gets. The reason of a failure is in its record. */
export interface ChildResult {
  /** JSON array: the items of the first output of the child's last node; empty if it failed. */
  readonly itemsJson: Buffer;
  /** The items have more bytes than were requested, so they are omitted. */
  readonly isLeftOut?: true;
}

const EMPTY_LIST = Buffer.from('[]');

interface Outputs {
  readonly data?: { readonly main?: readonly (readonly unknown[] | null)[] };
}

const firstOutput = (record: Buffer): Buffer => {
  const parsed: Outputs = JSON.parse(record.toString('utf8'));
  return Buffer.from(JSON.stringify(parsed.data?.main?.[0] ?? []));
};

/**
 * The items that a child which has ended gave to its caller: none if it failed. What has more than `maxBytes` is left
 * out.
 */
export const childResult = async (
  child: ExecutionRecord,
  ports: RunDataPorts,
  maxBytes: number,
): Promise<ChildResult> => {
  if (child.state !== 'success') return { itemsJson: EMPTY_LIST };
  let last: StoredRun | undefined;
  for await (const run of eachStoredRun(child, ports)) if (run.node === child.lastNode) last = run;
  if (last === undefined) return { itemsJson: EMPTY_LIST };
  const itemsJson = firstOutput(await readRecord(last));
  return itemsJson.length > maxBytes ? { itemsJson: EMPTY_LIST, isLeftOut: true } : { itemsJson };
};

/** Name of the piece of data that holds the result of a child. */
const RESULT_ID = /^result-([0-9a-f-]{36})$/;

/** The child whose result a piece of data of its caller is; undefined if it is another piece. */
export const resultOf = (chunkId: string): string | undefined => RESULT_ID.exec(chunkId)?.[1];

/**
 * The whole result of a child of `parent`, of any size.
 * @throws ChunkNotFound if it is not a child of it, or has not ended
 */
export const readChildResult = async (
  parent: Pick<ExecutionRecord, '_id'>,
  childId: string,
  read: ReadExecution,
  ports: RunDataPorts,
): Promise<Buffer> => {
  const child = await read(childId);
  if (child?.parent?.executionId !== parent._id || !isEndState(child.state))
    throw new ChunkNotFound(`result-${childId}`);
  return (await childResult(child, ports, Number.POSITIVE_INFINITY)).itemsJson;
};
