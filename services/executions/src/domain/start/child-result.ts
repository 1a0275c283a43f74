import { LimitExceeded, LIMITS } from '@weft/service-kit/limits';
import { ChunkNotFound } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import { isEndState } from '../state/execution-state';
import type { ReadExecution } from '../state/ports';
import type { GetVersion } from '../state/version-cache';
import { withOrigins } from '../state/result-origins';
import { eachStoredRun, readRecord, type RunDataPorts, type StoredRun } from '../data/run-records';

/** The result of an ended child for its parent. The reason of a failure is in its record. */
export interface ChildResult {
  /**
   * JSON array: items of the first output of the child's last node, of its last or all runs, each with `origin` where
   * known; empty if it failed.
   */
  readonly itemsJson: Buffer;
  /** The items exceed the requested size, so they are omitted. */
  readonly isLeftOut?: true;
}

const EMPTY_LIST = Buffer.from('[]');

interface Outputs {
  readonly data?: { readonly main?: readonly (readonly unknown[] | null)[] };
}

const firstOutput = (record: Buffer): readonly unknown[] => {
  const parsed: Outputs = JSON.parse(record.toString('utf8'));
  return parsed.data?.main?.[0] ?? [];
};

/** Ports of reading results. */
export interface ResultPorts extends RunDataPorts {
  readonly getVersion: GetVersion;
}

/** Items of the runs, in order. @throws LimitExceeded if several have more than the calling node may output */
const itemsOf = async (runs: readonly StoredRun[]): Promise<unknown[]> => {
  const items: unknown[] = [];
  let bytes = 0;
  for (const run of runs) {
    const record = await readRecord(run);
    bytes += record.length;
    if (runs.length > 1 && bytes > LIMITS.nodeOutput.max) throw new LimitExceeded(LIMITS.nodeOutput, bytes);
    for (const item of firstOutput(record)) items.push(item);
  }
  return items;
};

/** The result items of an ended child: empty if it failed. Omitted above `maxBytes`. */
export const childResult = async (
  child: ExecutionRecord,
  ports: ResultPorts,
  maxBytes: number,
): Promise<ChildResult> => {
  if (child.state !== 'success') return { itemsJson: EMPTY_LIST };
  const returnsAll = (await ports.getVersion(child.versionId))?.facts.returnsAllRuns === true;
  const runs: StoredRun[] = [];
  for await (const run of eachStoredRun(child, ports)) {
    if (run.node !== child.lastNode) continue;
    if (!returnsAll) runs.pop();
    runs.push(run);
  }
  const items = withOrigins(await itemsOf(runs), child.resultOrigins);
  const itemsJson = Buffer.from(JSON.stringify(items));
  return itemsJson.length > maxBytes ? { itemsJson: EMPTY_LIST, isLeftOut: true } : { itemsJson };
};

/** Name of the chunk with the result of a child. */
const RESULT_ID = /^result-([0-9a-f-]{36})$/;

/** The child whose result a chunk of its caller is; undefined if it is another chunk. */
export const resultOf = (chunkId: string): string | undefined => RESULT_ID.exec(chunkId)?.[1];

/**
 * The whole result of a child of `parent`, of any size.
 * @throws ChunkNotFound if it is not its child, or has not ended
 */
export const readChildResult = async (
  parent: Pick<ExecutionRecord, '_id'>,
  childId: string,
  read: ReadExecution,
  ports: ResultPorts,
): Promise<Buffer> => {
  const child = await read(childId);
  if (child?.parent?.executionId !== parent._id || !isEndState(child.state))
    throw new ChunkNotFound(`result-${childId}`);
  return (await childResult(child, ports, Number.POSITIVE_INFINITY)).itemsJson;
};
