import { createBoundedCache } from '@weft/service-kit/caching';
import type { ChunkStore } from './chunks';
import { ChunkNotFound } from '../state/errors';
import type { ExecutionRecord, LoggedSegment, Segment } from '../state/execution';
import { readRuns, unpackSegment, type ManifestRun } from './node-runs';
import { readNamed, type LogRange, type LogSegment, type SegmentLog } from './segment-log';

/** One node run of an execution and access to its record. */
export interface StoredRun extends ManifestRun {
  /** The record in pieces; more than one only if it is a large separate chunk. @throws ChunkNotFound */
  readonly read: () => AsyncIterable<Buffer>;
}

/** Ports of reading run data. */
export interface RunDataPorts {
  readonly chunks: ChunkStore;
  readonly log: SegmentLog;
}

/** The parts of an execution that reference its run data. */
export type RunDataRecord = Pick<ExecutionRecord, '_id' | 'manifest' | 'log'>;

/** Limits of the segments that one reader caches, stored and unpacked: the last one stays, however large. */
const CACHE_OPTIONS = { maxWeight: 16 * 1024 * 1024, retainsOversized: true };

/** Number of segments of the log that are read together once they are no longer cached. */
const READ_AHEAD = 16;

/** @throws ChunkNotFound if it is damaged: a runner may have packed it, and it was not checked since. */
const unpack = async (segment: Segment, position: number): Promise<Buffer> => {
  try {
    return await unpackSegment(segment, segment.bytes ?? Buffer.alloc(0));
  } catch {
    throw new ChunkNotFound(`segment ${position}`);
  }
};

/** Returns segments by position; reads those of the log again if they are not cached. */
class SegmentReader {
  readonly #stored = createBoundedCache<number, Segment>(CACHE_OPTIONS);
  readonly #raw = createBoundedCache<number, Buffer>(CACHE_OPTIONS);

  constructor(
    private readonly record: RunDataRecord,
    private readonly log: SegmentLog,
  ) {}

  get #named(): readonly LoggedSegment[] {
    return this.record.log ?? [];
  }

  /** Every segment in order: those of the log by one query, then those of the document. */
  async *all(from = 0): AsyncGenerator<LogSegment> {
    for await (const entry of this.#readLog({ from, to: this.#named.length })) yield entry;
    for (const [index, segment] of this.record.manifest.entries())
      yield { position: this.#named.length + index, reference: '', segment };
  }

  async *#readLog(range: LogRange): AsyncGenerator<LogSegment> {
    for await (const entry of readNamed(this.record._id, this.#named, range, this.log)) {
      this.#stored.set(entry.position, entry.segment, entry.segment.bytes?.length ?? 0);
      yield entry;
    }
  }

  async #segment(position: number): Promise<Segment> {
    const inline = this.record.manifest[position - this.#named.length];
    const known = inline ?? this.#stored.get(position);
    if (known !== undefined) return known;
    let found: Segment | undefined;
    for await (const entry of this.#readLog({
      from: position,
      to: Math.min(position + READ_AHEAD, this.#named.length),
    }))
      found ??= entry.segment;
    if (found === undefined) throw new Error('The requested segment is not in the manifest.');
    return found;
  }

  /** The records of a segment, one after the other. @throws ChunkNotFound */
  async raw(position: number): Promise<Buffer> {
    const known = this.#raw.get(position);
    if (known !== undefined) return known;
    const raw = await unpack(await this.#segment(position), position);
    this.#raw.set(position, raw, raw.length);
    return raw;
  }
}

async function* cut(reader: SegmentReader, position: number, from: number, bytes: number): AsyncGenerator<Buffer> {
  yield (await reader.raw(position)).subarray(from, from + bytes);
}

const runsOf = (
  executionId: string,
  { position, segment }: LogSegment,
  reader: SegmentReader,
  chunks: ChunkStore,
): StoredRun[] => {
  let offset = 0;
  return readRuns(segment).map((run) => {
    if (run.chunk !== '') return { ...run, read: () => chunks.read(executionId, run.chunk) };
    const from = offset;
    offset += run.bytes;
    return { ...run, read: () => cut(reader, position, from, run.bytes) };
  });
};

/**
 * The node runs of an execution in stored order; the log is read by one query as they are consumed.
 * @param skip number of node runs to skip, without reading segments that contain no others.
 * @throws ChunkNotFound
 */
export async function* eachStoredRun(
  record: RunDataRecord,
  { chunks, log }: RunDataPorts,
  skip = 0,
): AsyncGenerator<StoredRun> {
  const named = record.log ?? [];
  let position = 0;
  let left = skip;
  for (let first = named[position]; first !== undefined && first.count <= left; first = named[position]) {
    left -= first.count;
    position += 1;
  }
  const reader = new SegmentReader(record, log);
  for await (const entry of reader.all(position)) {
    const runs = runsOf(record._id, entry, reader, chunks);
    yield* runs.slice(left);
    left = Math.max(0, left - runs.length);
  }
}

/**
 * All node runs of an execution, in stored order. Segments that are not cached are read again with the records.
 * @throws ChunkNotFound
 */
export const storedRuns = async (record: RunDataRecord, ports: RunDataPorts): Promise<StoredRun[]> => {
  const runs: StoredRun[] = [];
  for await (const run of eachStoredRun(record, ports)) runs.push(run);
  return runs;
};

/** The whole record of a run. @throws ChunkNotFound */
export const readRecord = async (run: StoredRun): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of run.read()) pieces.push(piece);
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
};
