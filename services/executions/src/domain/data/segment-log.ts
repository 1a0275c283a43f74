import { createHash } from 'node:crypto';
import { ChunkNotFound } from '../state/errors';
import type { ExecutionRecord, LoggedSegment, Segment } from '../state/execution';
import { SEGMENT_BYTES } from '../state/limits';
import { packSegment, type NodeRun } from './node-runs';

/** A segment at its position in the log of an execution. */
export interface LogSegment {
  /** 0 for the first. */
  readonly position: number;
  readonly reference: string;
  readonly segment: Segment;
}

/** Positions of a log, `to` excluded. */
export interface LogRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Store of the segments of executions. A segment counts only if the document of its execution references it: segments
 * of a runner that lost its claim are there too, under other references.
 */
export interface SegmentLog {
  /**
   * Stores segments. Insert-only: existing ones stay, since a reference identifies the content.
   * @throws Unavailable
   */
  readonly put: (executionId: string, segments: readonly LogSegment[]) => Promise<void>;
  /**
   * Reads a range by one query, in order, a few segments at a time; including those that no document references.
   * @throws Unavailable
   */
  readonly read: (executionId: string, range: LogRange) => AsyncIterable<LogSegment>;
  /** Deletes all segments of executions. */
  readonly deleteAll: (executionIds: readonly string[]) => Promise<void>;
}

/** Tail of a run: the node runs in its document, and the length of its log. */
export type Tail = Pick<
  ExecutionRecord,
  '_id' | 'state' | 'fence' | 'checkpoint' | 'nodeRunCount' | 'manifest' | 'log'
>;

/** Reads the tail of an execution; undefined if there is none. @throws Unavailable */
export type ReadTail = (executionId: string) => Promise<Tail | undefined>;

/** Bytes of a run in a segment, besides its record. */
const ENTRY_BYTES = 48;

const bytesOf = ({ node, record }: NodeRun): number => node.length + ENTRY_BYTES + (record?.length ?? 0);

/**
 * Splits node runs so that each part but the last has the target size, and none is much larger. Records that are packed
 * together form a separate part.
 */
const inParts = (runs: readonly NodeRun[], partBytes: number): NodeRun[][] => {
  const parts: NodeRun[][] = [];
  let room = 0;
  let pack: NonNullable<NodeRun['packed']>['records'] | undefined;
  const joins = ({ packed, record }: NodeRun): boolean => {
    if (packed !== undefined) return packed.records === pack;
    return pack === undefined ? room > 0 : record === undefined;
  };
  for (const run of runs) {
    if (!joins(run)) {
      parts.push([]);
      room = partBytes;
      pack = run.packed?.records;
    }
    parts.at(-1)?.push(run);
    room -= bytesOf(run);
  }
  return parts;
};

/** Packs node runs into segments of about this many bytes of records; without a limit into as few as possible. */
export const packSegments = (
  runs: readonly NodeRun[],
  fence: number,
  segmentBytes = Number.POSITIVE_INFINITY,
): Promise<Segment[]> => Promise.all(inParts(runs, segmentBytes).map((part) => packSegment(part, fence)));

const referenceOf = ({ fence, runs, bytes }: Segment): string => {
  const hash = createHash('sha256').update(runs);
  if (bytes !== undefined) hash.update(bytes);
  return `${fence}.${hash.digest('hex').slice(0, 24)}`;
};

/** Packs node runs into segments for the log, starting at a position. */
export const formSegments = async (runs: readonly NodeRun[], fence: number, from: number): Promise<LogSegment[]> => {
  const segments = await packSegments(runs, fence, SEGMENT_BYTES);
  return segments.map((segment, index) => ({ position: from + index, reference: referenceOf(segment), segment }));
};

/**
 * Reads the segments of a range that a document references, in order.
 * @throws ChunkNotFound if one of them is missing
 */
export async function* readNamed(
  executionId: string,
  named: readonly LoggedSegment[],
  range: LogRange,
  log: SegmentLog,
): AsyncGenerator<LogSegment> {
  if (range.from >= range.to) return;
  let next = range.from;
  for await (const entry of log.read(executionId, range)) {
    if (entry.position !== next || named[next]?.reference !== entry.reference) continue;
    yield entry;
    next += 1;
  }
  if (next < range.to) throw new ChunkNotFound(named[next]?.reference ?? '');
}
