import { fromFactsTuple } from '../data/run-facts';
import { readRuns, type ManifestRun } from '../data/node-runs';
import type { LogRange } from '../data/segment-log';
import { ChunkNotFound } from '../state/errors';
import { isEndState } from '../state/execution-state';
import type { FollowedExecution, SegmentManifest } from './followed-execution';

/** A stored fact about an execution, with its fixed number. */
export type LogEvent =
  | { readonly sequence: number; readonly kind: 'accepted' | 'ended' }
  | { readonly sequence: number; readonly kind: 'node-finished'; readonly run: ManifestRun };

/** Events after a number, and the execution that they were read from. */
export interface EventPage {
  readonly execution: FollowedExecution;
  readonly events: readonly LogEvent[];
  /** No event will follow the last one here. */
  readonly isComplete: boolean;
  /** Number of the first node run that exists, if the run was restarted and earlier ones would have followed. */
  readonly firstSequence?: number;
}

/**
 * Reads the manifests of segments of a log, without records, in order; including those that no document references.
 * @throws Unavailable
 */
export type ReadManifests = (
  executionId: string,
  range: LogRange,
) => AsyncIterable<{ readonly position: number; readonly reference: string; readonly segment: SegmentManifest }>;

const ACCEPTED = 1;

/** Numbers of the events of an execution. */
const numbersOf = ({ lostNodeRuns = 0, nodeRunCount }: Pick<FollowedExecution, 'lostNodeRuns' | 'nodeRunCount'>) => {
  const firstRun = ACCEPTED + 1 + lostNodeRuns;
  return { firstRun, ended: firstRun + nodeRunCount };
};

/** Manifests that several followers read at the same time are parsed once. */
const PARSED = new WeakMap<SegmentManifest, readonly ManifestRun[]>();

const runsOf = (segment: SegmentManifest): readonly ManifestRun[] => {
  const known = PARSED.get(segment) ?? readRuns(segment);
  PARSED.set(segment, known);
  return known;
};

/** Segments that a document references, from a position. @throws ChunkNotFound if the execution changed meanwhile */
async function* segmentsFrom(
  { _id, log = [], manifest }: FollowedExecution,
  position: number,
  readManifests: ReadManifests,
): AsyncGenerator<SegmentManifest> {
  let next = position;
  if (next < log.length)
    for await (const entry of readManifests(_id, { from: next, to: log.length })) {
      if (entry.position !== next || log[next]?.reference !== entry.reference) continue;
      yield entry.segment;
      next += 1;
    }
  if (next < log.length) throw new ChunkNotFound(log[next]?.reference ?? '');
  yield* manifest.slice(next - log.length);
}

/** Node runs after the first `skip`, at most `limit`. */
const nodeRunsOf = async (
  execution: FollowedExecution,
  skip: number,
  limit: number,
  readManifests: ReadManifests,
): Promise<ManifestRun[]> => {
  const found: ManifestRun[] = [];
  if (limit <= 0 || skip >= execution.nodeRunCount) return found;
  let left = skip;
  let position = 0;
  const counts = [...(execution.log ?? []), ...execution.manifest];
  for (let first = counts[0]; first !== undefined && first.count <= left; first = counts[position]) {
    left -= first.count;
    position += 1;
  }
  for await (const segment of segmentsFrom(execution, position, readManifests)) {
    found.push(...runsOf(segment).slice(left, left + limit - found.length));
    left = 0;
    if (found.length >= limit) break;
  }
  return found;
};

/**
 * Returns the events of an execution after a number, oldest first.
 * @throws ChunkNotFound if the execution was deleted since it was read: read it again
 */
export const readEvents = async (
  execution: FollowedExecution,
  after: number,
  limit: number,
  readManifests: ReadManifests,
): Promise<EventPage> => {
  const { firstRun, ended } = numbersOf(execution);
  const events: LogEvent[] = [];
  if (after < ACCEPTED) events.push({ sequence: ACCEPTED, kind: 'accepted' });
  const nextRun = Math.max(after, ACCEPTED) + 1;
  const skip = Math.max(0, nextRun - firstRun);
  for (const run of await nodeRunsOf(execution, skip, limit - events.length, readManifests))
    events.push({ sequence: firstRun + run.executionIndex, kind: 'node-finished', run });
  const last = events.at(-1)?.sequence ?? after;
  const hasEnded = isEndState(execution.state);
  const isEndNext = hasEnded && after < ended && Math.max(last, firstRun - 1) >= ended - 1;
  if (isEndNext && events.length < limit) events.push({ sequence: ended, kind: 'ended' });
  return {
    execution,
    events,
    isComplete: hasEnded && (after >= ended || events.at(-1)?.kind === 'ended'),
    ...(nextRun < firstRun ? { firstSequence: firstRun } : {}),
  };
};

/** Time of a node run: its end. Undefined if it was stored without. */
export const finishedAtOf = (executionId: string, { facts }: ManifestRun): Date | undefined => {
  if (facts === undefined) return undefined;
  const { startedAtMs, durationMs } = fromFactsTuple(executionId, facts);
  return new Date(startedAtMs + durationMs);
};
