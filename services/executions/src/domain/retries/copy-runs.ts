import { contentReference, type ChunkStore } from '../data/chunks';
import type { NodeRun } from '../data/node-runs';
import { fromFactsTuple, toFactsTuple } from '../data/run-facts';
import { eachStoredRun, readRecord, type RunDataPorts, type StoredRun } from '../data/run-records';
import { formSegments, packSegments } from '../data/segment-log';
import type { CarriedRun } from '../start/new-execution';
import type { ExecutionRecord } from '../state/execution';
import { INLINE_BYTES, MAX_RETRY_BYTES, SEGMENT_RECORD_BYTES } from '../state/limits';
import { inlineBytesOf } from '../state/run-writes';

/** The fence of data stored before the first claim. */
const BEFORE_ALL = 0;

/**
 * The node runs that another execution takes over.
 * @param refuse makes the error for runs that are larger than the limit, such as `128 MB`
 */
export const runsToCopy = async (
  original: ExecutionRecord,
  isTaken: (run: StoredRun) => boolean,
  ports: RunDataPorts,
  refuse: (limit: string) => Error,
): Promise<readonly StoredRun[]> => {
  const runs: StoredRun[] = [];
  let bytes = 0;
  for await (const run of eachStoredRun(original, ports)) {
    if (!isTaken(run)) continue;
    bytes += run.bytes;
    if (bytes > MAX_RETRY_BYTES) throw refuse(`${MAX_RETRY_BYTES / 1024 / 1024} MB`);
    runs.push(run);
  }
  return runs;
};

/** Changes a record for its copy, which has this index. */
type PrepareRecord = (record: Buffer, executionIndex: number) => Buffer;

/** A node run with its record, for another execution: a large record becomes a chunk of it. */
const copyRun = async (
  run: StoredRun,
  originalId: string,
  executionId: string,
  chunks: ChunkStore,
  prepare: PrepareRecord,
): Promise<{ readonly copy: NodeRun; readonly record: Buffer }> => {
  const { node, run: number, executionIndex, failed, facts } = run;
  const record = prepare(await readRecord(run), executionIndex);
  const copy = {
    node,
    run: number,
    executionIndex,
    failed,
    ...(facts === undefined ? {} : { facts: toFactsTuple(executionId, fromFactsTuple(originalId, facts)) }),
  };
  if (record.length <= SEGMENT_RECORD_BYTES) return { copy: { ...copy, record }, record };
  const reference = `${BEFORE_ALL}.upload-run-${executionIndex}`;
  await chunks.put(executionId, reference, record);
  return { copy: { ...copy, chunk: { reference, bytes: record.length } }, record };
};

/** Run data of a new execution, as its document refers to it. */
export type CarriedData = Pick<CarriedRun, 'manifest' | 'log' | 'inlineBytes' | 'dataBytes'>;

/** Stores node runs for another execution: in its document if they fit, else in its log. */
export const storeRuns = async (
  runs: readonly StoredRun[],
  originalId: string,
  executionId: string,
  { chunks, log }: RunDataPorts,
  prepare: PrepareRecord = (record) => record,
): Promise<{ readonly texts: readonly Buffer[]; readonly data: CarriedData }> => {
  const copied: { readonly copy: NodeRun; readonly record: Buffer }[] = [];
  for (const run of runs) copied.push(await copyRun(run, originalId, executionId, chunks, prepare));
  const texts = copied.map(({ record }) => record);
  const dataBytes = texts.reduce((sum, { length }) => sum + length, 0);
  if (copied.length === 0) return { texts, data: { manifest: [], inlineBytes: 0, dataBytes } };
  const segments = await packSegments(
    copied.map(({ copy }) => copy),
    BEFORE_ALL,
  );
  if (inlineBytesOf(segments) <= INLINE_BYTES)
    return { texts, data: { manifest: segments, inlineBytes: inlineBytesOf(segments), dataBytes } };
  const logSegments = await formSegments(
    copied.map(({ copy }) => copy),
    BEFORE_ALL,
    0,
  );
  await log.put(executionId, logSegments);
  const named = logSegments.map(({ reference, segment: { count } }) => ({ reference, count }));
  return { texts, data: { manifest: [], log: named, inlineBytes: 0, dataBytes } };
};

/** Stores an engine state for another execution: in its document if it fits, else as a chunk. */
export const storeState = async (
  state: Buffer,
  executionId: string,
  chunks: ChunkStore,
): Promise<Pick<CarriedRun, 'engineState' | 'engineStateChunk'>> => {
  if (state.length <= INLINE_BYTES) return { engineState: state };
  const engineStateChunk = contentReference(BEFORE_ALL, 'engine', state);
  await chunks.put(executionId, engineStateChunk, state);
  return { engineStateChunk };
};
