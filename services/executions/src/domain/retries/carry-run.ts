import { contentReference, readWhole, type ChunkStore } from '../chunks';
import { END_REASONS, RetryNotPossible } from '../errors';
import type { ExecutionRecord, Segment } from '../execution';
import { INLINE_BYTES, MAX_RETRY_BYTES } from '../limits';
import type { CarriedRun } from '../new-execution';
import { packSegment, type NodeRun } from '../node-runs';
import { readRecord, storedRuns, type StoredRun } from '../run-records';

/** What a retry takes over, and what of it may name files. */
export interface Carried {
  readonly run: CarriedRun;
  /** Nodes that ran. */
  readonly nodes: ReadonlySet<string>;
  /** JSON texts in which references to files may stand. */
  readonly texts: readonly Buffer[];
}

/** The fence of what was stored before the first claim. */
const BEFORE_ALL = 0;

/** Bytes of records that are packed together. */
const SEGMENT_BYTES = 256 * 1024;

/** Bytes of a record that lies in a segment; a larger one stays a chunk of its own. */
const SEGMENT_RECORD_BYTES = 1024 * 1024;

const FROM_START = 'Retry it from the start.';

/** Ends that would come again at once if the run data stayed. */
const FULL: ReadonlySet<string> = new Set([END_REASONS.tooManyNodeRuns, END_REASONS.dataTooLarge]);

/** Undefined if the run had not come so far that there is a state. @throws ChunkNotFound */
const readState = async ({ _id, engineState, engineStateChunk }: ExecutionRecord, chunks: ChunkStore): Promise<Buffer | undefined> =>
  engineStateChunk === undefined ? engineState : readWhole(chunks, _id, engineStateChunk);

/** The node runs that the state builds on. @throws RetryNotPossible if they are too many bytes */
const runsToCarry = (original: ExecutionRecord, chunks: ChunkStore): readonly StoredRun[] => {
  const runs = storedRuns(original, chunks).filter(({ seq }) => seq < (original.engineStateRuns ?? Number.POSITIVE_INFINITY));
  const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
  if (bytes > MAX_RETRY_BYTES) throw new RetryNotPossible(original._id, `its run data has more than ${MAX_RETRY_BYTES / 1024 / 1024} MB. ${FROM_START}`);
  return runs;
};

const segmentAsChunk = async ({ bytes, ...segment }: Segment, executionId: string, chunks: ChunkStore): Promise<Segment> => {
  if (bytes === undefined) return segment;
  const chunk = contentReference(BEFORE_ALL, 'segment', bytes);
  await chunks.put(executionId, chunk, bytes);
  return { ...segment, chunk };
};

/** Stores node runs anew for another execution: together in its document while that is short, else in chunks. */
const storeRuns = async (runs: readonly StoredRun[], executionId: string, chunks: ChunkStore): Promise<Pick<Carried, 'texts'> & { manifest: Segment[] }> => {
  const segments: Segment[] = [];
  const texts: Buffer[] = [];
  let open: NodeRun[] = [];
  let openBytes = 0;
  const close = async (): Promise<void> => {
    if (open.length > 0) segments.push(await packSegment(open, BEFORE_ALL));
    open = [];
    openBytes = 0;
  };
  for (const run of runs) {
    const { node, run: number, seq, failed } = run;
    const record = await readRecord(run);
    texts.push(record);
    if (openBytes + record.length > SEGMENT_BYTES) await close();
    if (record.length <= SEGMENT_RECORD_BYTES) {
      open.push({ node, run: number, seq, failed, record });
      openBytes += record.length;
      continue;
    }
    const reference = `${BEFORE_ALL}.upload-run-${seq}`;
    await chunks.put(executionId, reference, record);
    open.push({ node, run: number, seq, failed, chunk: { reference, bytes: record.length } });
  }
  await close();
  const [only] = segments;
  if (segments.length === 1 && only !== undefined && (only.bytes?.length ?? 0) <= INLINE_BYTES) return { manifest: [only], texts };
  return { manifest: await Promise.all(segments.map((segment) => segmentAsChunk(segment, executionId, chunks))), texts };
};

const storeState = async (state: Buffer, executionId: string, chunks: ChunkStore): Promise<Pick<CarriedRun, 'engineState' | 'engineStateChunk'>> => {
  if (state.length <= INLINE_BYTES) return { engineState: state };
  const engineStateChunk = contentReference(BEFORE_ALL, 'engine', state);
  await chunks.put(executionId, engineStateChunk, state);
  return { engineStateChunk };
};

/**
 * Copies what an execution had done before it failed to the one that is to go on from there, so that the copy lives
 * however long the original does.
 * @returns undefined if it had done nothing: the retry begins at the start.
 * @throws RetryNotPossible
 */
export const carryRun = async (original: ExecutionRecord, executionId: string, chunks: ChunkStore): Promise<Carried | undefined> => {
  const { _id, state: end, error, runCount, customData } = original;
  if (end === 'success') throw new RetryNotPossible(_id, `it succeeded, so there is no failed node. ${FROM_START}`);
  if (FULL.has(error?.reason ?? '')) throw new RetryNotPossible(_id, `its run data was as much as one execution may have. ${FROM_START}`);
  const state = await readState(original, chunks);
  if (state === undefined && runCount === 0) return undefined;
  if (state === undefined) throw new RetryNotPossible(_id, `where it stood when it ended is not known. ${FROM_START}`);
  const runs = runsToCarry(original, chunks);
  const { manifest, texts } = await storeRuns(runs, executionId, chunks);
  const lastNode = runs.at(-1)?.node;
  const run: CarriedRun = {
    manifest,
    runCount: runs.length,
    dataBytes: manifest.reduce((sum, { totalBytes }) => sum + totalBytes, 0),
    inlineBytes: manifest.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0),
    ...(await storeState(state, executionId, chunks)),
    ...(lastNode === undefined ? {} : { lastNode }),
    ...(customData === undefined ? {} : { customData }),
  };
  return { run, nodes: new Set(runs.map(({ node }) => node)), texts: [...texts, state] };
};
