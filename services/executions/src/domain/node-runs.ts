import type { Segment } from './execution';
import { pack, unpack } from './packed-bytes';

/** One run of one node, as a runner sends it. */
export interface NodeRun {
  readonly node: string;
  /** Number of times the node ran before. */
  readonly run: number;
  /** Position in the order of all node runs; the event log is read by it. */
  readonly executionIndex: number;
  readonly failed: boolean;
  /** The record, one JSON object; absent when it is a chunk of its own. */
  readonly record?: Buffer;
  readonly chunk?: { readonly reference: string; readonly bytes: number };
}

/** Position of one node run within its segment. */
export interface ManifestRun {
  readonly node: string;
  readonly run: number;
  readonly executionIndex: number;
  readonly failed: boolean;
  readonly bytes: number;
  /** Reference of the chunk that is its record; empty when it lies in the segment. */
  readonly chunk: string;
}

const writeRuns = (runs: readonly NodeRun[]): string =>
  JSON.stringify(
    runs.map(({ node, run, executionIndex, failed, record, chunk }) => [
      node,
      run,
      executionIndex,
      failed ? 1 : 0,
      record?.length ?? chunk?.bytes ?? 0,
      chunk?.reference ?? '',
    ]),
  );

type RunTuple = readonly [
  node: string,
  run: number,
  executionIndex: number,
  failed: number,
  bytes: number,
  chunk: string,
];

/** The manifest of a segment, in the order in which the runs were sent. */
export const readRuns = (segment: Segment): ManifestRun[] => {
  const tuples: RunTuple[] = JSON.parse(segment.runs);
  return tuples.map(([node, run, executionIndex, failed, bytes, chunk]) => ({
    node,
    run,
    executionIndex,
    failed: failed === 1,
    bytes,
    chunk,
  }));
};

/** Packs node runs into one segment whose records are still inside it. Compression is used if it saves a fifth. */
export const packSegment = async (runs: readonly NodeRun[], fence: number): Promise<Segment> => {
  const raw = Buffer.concat(runs.flatMap(({ record }) => (record === undefined ? [] : [record])));
  const { bytes, rawBytes } = await pack(raw);
  return {
    fence,
    encoding: rawBytes === undefined ? 'plain' : 'zstd',
    ...(raw.length === 0 ? {} : { bytes }),
    rawBytes: raw.length,
    totalBytes: raw.length + runs.reduce((sum, { chunk }) => sum + (chunk?.bytes ?? 0), 0),
    count: runs.length,
    runs: writeRuns(runs),
  };
};

/**
 * The records of a segment one after the other, from its stored bytes.
 * @throws Error if they do not fit the segment.
 */
export const unpackSegment = async (segment: Segment, stored: Buffer): Promise<Buffer> => {
  const raw = await unpack(
    segment.encoding === 'plain' ? { bytes: stored } : { bytes: stored, rawBytes: segment.rawBytes },
  );
  if (raw.length !== segment.rawBytes)
    throw new Error(`A segment has ${raw.length} bytes instead of ${segment.rawBytes}.`);
  return raw;
};

/**
 * The node runs of a segment, with their records, as they were packed.
 * @throws Error if the bytes do not fit the segment
 */
export const openSegment = async (segment: Segment): Promise<NodeRun[]> => {
  const raw = await unpackSegment(segment, segment.bytes ?? Buffer.alloc(0));
  let from = 0;
  return readRuns(segment).map(({ node, run, executionIndex, failed, bytes, chunk }) => {
    if (chunk !== '') return { node, run, executionIndex, failed, chunk: { reference: chunk, bytes } };
    from += bytes;
    return { node, run, executionIndex, failed, record: raw.subarray(from - bytes, from) };
  });
};
