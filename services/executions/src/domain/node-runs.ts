import { gunzip, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { Segment } from './execution';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Bytes below which compression is not tried. */
const GZIP_FROM_BYTES = 4_096;

/** One run of one node, as a runner hands it in. */
export interface NodeRun {
  readonly node: string;
  /** How often the node ran before. */
  readonly run: number;
  /** Position in the order of all node runs; the event log is read by it. */
  readonly seq: number;
  readonly failed: boolean;
  /** The record, one JSON object; absent when it is a chunk of its own. */
  readonly record?: Buffer;
  readonly chunk?: { readonly reference: string; readonly bytes: number };
}

/** Where one node run lies within its segment. */
export interface ManifestRun {
  readonly node: string;
  readonly run: number;
  readonly seq: number;
  readonly failed: boolean;
  readonly bytes: number;
  /** Reference of the chunk that is its record; empty when it lies in the segment. */
  readonly chunk: string;
}

const writeRuns = (runs: readonly NodeRun[]): string =>
  JSON.stringify(runs.map(({ node, run, seq, failed, record, chunk }) => [node, run, seq, failed ? 1 : 0, record?.length ?? chunk?.bytes ?? 0, chunk?.reference ?? '']));

type RunTuple = readonly [node: string, run: number, seq: number, failed: number, bytes: number, chunk: string];

/** The manifest of a segment, in the order in which the runs were handed in. */
export const readRuns = (segment: Segment): ManifestRun[] => {
  const tuples: RunTuple[] = JSON.parse(segment.runs);
  return tuples.map(([node, run, seq, failed, bytes, chunk]) => ({ node, run, seq, failed: failed === 1, bytes, chunk }));
};

/** Packs node runs into one segment whose records are still inside it. Compression is kept if it saves a fifth. */
export const packSegment = async (runs: readonly NodeRun[], fence: number): Promise<Segment> => {
  const raw = Buffer.concat(runs.flatMap(({ record }) => (record === undefined ? [] : [record])));
  const small = raw.length < GZIP_FROM_BYTES ? raw : await compress(raw);
  const pays = small.length < raw.length * 0.8;
  return {
    fence,
    encoding: pays ? 'gzip' : 'plain',
    ...(raw.length === 0 ? {} : { bytes: pays ? small : raw }),
    rawBytes: raw.length,
    totalBytes: raw.length + runs.reduce((sum, { chunk }) => sum + (chunk?.bytes ?? 0), 0),
    count: runs.length,
    runs: writeRuns(runs),
  };
};

/** The records of a segment one after the other, from its stored bytes. @throws Error if they do not fit the segment. */
export const unpackSegment = async (segment: Segment, stored: Buffer): Promise<Buffer> => {
  const raw = segment.encoding === 'gzip' ? await expand(stored, { maxOutputLength: Math.max(1, segment.rawBytes) }) : stored;
  if (raw.length !== segment.rawBytes) throw new Error(`A segment has ${raw.length} bytes instead of ${segment.rawBytes}.`);
  return raw;
};
