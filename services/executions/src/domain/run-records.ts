import { readWhole, type ChunkStore } from './chunks';
import type { ExecutionRecord, Segment } from './execution';
import { readRuns, unpackSegment, type ManifestRun } from './node-runs';

/** One node run of an execution and the way to its record. */
export interface StoredRun extends ManifestRun {
  /** The record in pieces; more than one only if it is a large chunk of its own. @throws ChunkNotFound */
  readonly read: () => AsyncIterable<Buffer>;
}

/** Bytes of unpacked segments that one reader keeps. */
const KEPT_BYTES = 32 * 1024 * 1024;

type ReadSegment = (segment: Segment) => Promise<Buffer>;

/** Unpacks segments and keeps the last ones, since the runs of one node are spread over many. */
const createSegmentReader = (executionId: string, chunks: ChunkStore): ReadSegment => {
  const kept = new Map<Segment, Buffer>();
  let bytes = 0;
  return async (segment) => {
    const known = kept.get(segment);
    if (known !== undefined) return known;
    const stored = segment.bytes ?? (segment.chunk === undefined ? Buffer.alloc(0) : await readWhole(chunks, executionId, segment.chunk));
    const raw = await unpackSegment(segment, stored);
    kept.set(segment, raw);
    bytes += raw.length;
    for (const [oldest, old] of kept) {
      if (bytes <= KEPT_BYTES || oldest === segment) break;
      kept.delete(oldest);
      bytes -= old.length;
    }
    return raw;
  };
};

async function* cut(segment: Segment, from: number, bytes: number, readSegment: ReadSegment): AsyncGenerator<Buffer> {
  yield (await readSegment(segment)).subarray(from, from + bytes);
}

const runsOf = (executionId: string, segment: Segment, readSegment: ReadSegment, chunks: ChunkStore): StoredRun[] => {
  let offset = 0;
  return readRuns(segment).map((run) => {
    if (run.chunk !== '') return { ...run, read: () => chunks.read(executionId, run.chunk) };
    const from = offset;
    offset += run.bytes;
    return { ...run, read: () => cut(segment, from, run.bytes, readSegment) };
  });
};

/** All node runs of an execution, in the order in which they were stored. Nothing is read before a record is. */
export const storedRuns = (record: Pick<ExecutionRecord, '_id' | 'manifest'>, chunks: ChunkStore): StoredRun[] => {
  const readSegment = createSegmentReader(record._id, chunks);
  return record.manifest.flatMap((segment) => runsOf(record._id, segment, readSegment, chunks));
};

/** The whole record of a run. @throws ChunkNotFound */
export const readRecord = async (run: StoredRun): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of run.read()) pieces.push(piece);
  return Buffer.concat(pieces);
};
