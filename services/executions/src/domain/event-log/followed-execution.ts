import { SHOWN_FIELDS, type ShownExecution } from '../read/shown-executions';
import type { ExecutionRecord, Lease, LoggedSegment, PendingWait, Segment } from '../state/execution';

/** Paths that a reader of events needs: the manifests of node runs, but no records, inputs or responses. */
export const FOLLOWED_FIELDS = [
  ...SHOWN_FIELDS,
  'fence',
  'generation',
  'checkpoint',
  'lostNodeRuns',
  'manifest.runs',
  'manifest.count',
  'log',
  'lease.progress',
  'lease.progressAt',
  'wait.resumeAt',
  'wait.tokenHash',
  'wait.childId',
  'wait.approval',
  'response.statusCode',
] as const;

/** The manifest of a segment, without its records. */
export type SegmentManifest = Pick<Segment, 'runs' | 'count'>;

/** An execution as a reader of its events sees it. */
export interface FollowedExecution
  extends ShownExecution, Pick<ExecutionRecord, 'fence' | 'generation' | 'checkpoint' | 'lostNodeRuns'> {
  readonly manifest: readonly SegmentManifest[];
  readonly log?: readonly LoggedSegment[];
  readonly lease?: Pick<Lease, 'progress' | 'progressAt'>;
  readonly wait?: Pick<PendingWait, 'resumeAt' | 'tokenHash' | 'childId' | 'approval'>;
  readonly response?: { readonly statusCode: number };
}

/** Reads one; undefined if there is none. Concurrent reads share a query. @throws Unavailable */
export type ReadFollowed = (executionId: string) => Promise<FollowedExecution | undefined>;

/** Paths by which a poll notices a change. */
export const POSITION_FIELDS = [
  'state',
  'fence',
  'generation',
  'checkpoint',
  'nodeRunCount',
  'lostNodeRuns',
  'lease.progressAt',
  'response.statusCode',
] as const;

/** The part of an execution that differs after each change that a follower sees. */
export type Position = Pick<
  FollowedExecution,
  'state' | 'fence' | 'generation' | 'checkpoint' | 'nodeRunCount' | 'lostNodeRuns' | 'lease' | 'response'
>;

/** A position as a string, equal for equal positions. */
export const positionOf = ({
  state,
  fence,
  generation,
  checkpoint,
  nodeRunCount,
  lostNodeRuns = 0,
  lease,
  response,
}: Position): string =>
  `${state} ${fence} ${generation} ${checkpoint} ${nodeRunCount} ${lostNodeRuns} ${lease?.progressAt ?? 0} ` +
  `${response?.statusCode ?? 0}`;

/** Reads positions by id; omits deleted executions. @throws Unavailable */
export type ReadPositions = (executionIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
