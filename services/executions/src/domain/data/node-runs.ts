import { pack, unpack, type PackedBytes } from '@weft/service-kit/packing';
import type { Segment } from '../state/execution';
import { KEPT_BYTES } from '../state/limits';
import type { FactsTuple } from './run-facts';

/** One run of one node, as a runner sends it. */
export interface NodeRun {
  readonly node: string;
  /** Number of earlier runs of the node. */
  readonly run: number;
  /** Position in the order of all node runs, by which the event log is read. */
  readonly executionIndex: number;
  readonly failed: boolean;
  /** Absent if its runner sent none. */
  readonly facts?: FactsTuple;
  /** The record, one JSON object; absent when it is a separate chunk, or packed. */
  readonly record?: Buffer;
  readonly chunk?: { readonly reference: string; readonly bytes: number };
  /**
   * Instead: the length of the record within the packed ones, which are concatenated in the order of their runs. These
   * are consecutive, except for runs whose records are chunks.
   */
  readonly packed?: { readonly records: Required<PackedBytes>; readonly bytes: number };
}

/** Size of the record of a run in bytes. */
export const recordBytesOf = ({ record, chunk, packed }: NodeRun): number =>
  record?.length ?? chunk?.bytes ?? packed?.bytes ?? 0;

/** Position of one node run within its segment. */
export interface ManifestRun {
  readonly node: string;
  readonly run: number;
  readonly executionIndex: number;
  readonly failed: boolean;
  readonly bytes: number;
  /** Reference of the chunk that is its record; empty when it lies in the segment. */
  readonly chunk: string;
  /** Absent if it was stored by a release that did not record them. */
  readonly facts?: FactsTuple;
}

const toTuple = (one: NodeRun): RunTuple => {
  const { node, run, executionIndex, failed, facts } = one;
  const bytes = recordBytesOf(one);
  const chunk = one.chunk?.reference ?? '';
  return facts === undefined
    ? [node, run, executionIndex, failed ? 1 : 0, bytes, chunk]
    : [node, run, executionIndex, failed ? 1 : 0, bytes, chunk, facts];
};

const writeRuns = (runs: readonly NodeRun[]): string => JSON.stringify(runs.map(toTuple));

type RunTuple = readonly [
  node: string,
  run: number,
  executionIndex: number,
  failed: number,
  bytes: number,
  chunk: string,
  facts?: FactsTuple,
];

/** The manifest of a segment, in the order in which the runs were sent. */
export const readRuns = (segment: Pick<Segment, 'runs'>): ManifestRun[] => {
  const tuples: RunTuple[] = JSON.parse(segment.runs);
  return tuples.map(([node, run, executionIndex, failed, bytes, chunk, facts]) => {
    const read = { node, run, executionIndex, failed: failed === 1, bytes, chunk };
    return facts === undefined ? read : { ...read, facts };
  });
};

const packRecords = (runs: readonly NodeRun[]): Promise<PackedBytes> =>
  pack(Buffer.concat(runs.flatMap(({ record }) => (record === undefined ? [] : [record]))));

/**
 * Packs node runs into one segment: packed records are unchanged, others are compressed if that saves a fifth.
 * @param runs either without packed records or with those of one pack, and then without plain ones
 */
export const packSegment = async (runs: readonly NodeRun[], fence: number): Promise<Segment> => {
  const { bytes, rawBytes } =
    runs.find(({ packed }) => packed !== undefined)?.packed?.records ?? (await packRecords(runs));
  return {
    fence,
    encoding: rawBytes === undefined ? 'plain' : 'zstd',
    ...(bytes.length === 0 ? {} : { bytes }),
    rawBytes: rawBytes ?? bytes.length,
    totalBytes: runs.reduce((sum, run) => sum + recordBytesOf(run), 0),
    count: runs.length,
    runs: writeRuns(runs),
  };
};

/**
 * The concatenated records of a segment, from its stored bytes.
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

/** Node runs of a segment, each with its part of the records: `place` is called in their order. */
const placeRuns = (segment: Segment, place: (bytes: number) => Pick<NodeRun, 'record' | 'packed'>): NodeRun[] =>
  readRuns(segment).map(({ bytes, chunk, ...run }) =>
    chunk === '' ? { ...run, ...place(bytes) } : { ...run, chunk: { reference: chunk, bytes } },
  );

/**
 * The node runs of a segment, in a form that can be packed again. Many records stay packed: they are a separate segment
 * of the log.
 * @throws Error if the bytes do not fit the segment
 */
export const openSegment = async (segment: Segment): Promise<NodeRun[]> => {
  const { encoding, rawBytes, bytes: stored = Buffer.alloc(0) } = segment;
  if (encoding === 'zstd' && rawBytes >= KEPT_BYTES) {
    const records = { bytes: stored, rawBytes };
    return placeRuns(segment, (bytes) => ({ packed: { records, bytes } }));
  }
  const raw = await unpackSegment(segment, stored);
  let from = 0;
  return placeRuns(segment, (bytes) => {
    from += bytes;
    return { record: raw.subarray(from - bytes, from) };
  });
};
