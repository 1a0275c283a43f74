import { limitSentence, LIMITS } from '@weft/service-kit/limits';
import { contentReference, uploadReference, type ChunkStore } from '../data/chunks';
import { checkCustomData } from './custom-data';
import { ChunkNotFound, END_REASONS } from '../state/errors';
import type { ExecutionError, ModelUsage } from '../state/execution';
import { INLINE_BYTES, MAX_NODE_RUNS, MAX_RUN_BYTES, SEGMENT_RECORD_BYTES } from '../state/limits';
import { openSegment, recordBytesOf, type NodeRun } from '../data/node-runs';
import type { ApplyWrite, Clock, Outcome } from '../state/ports';
import {
  inlineBytesOf,
  reportWrite,
  retentionOf,
  sizeOfSegments,
  type Logged,
  type Progress,
} from '../state/run-writes';
import { formSegments, packSegments, type ReadTail, type SegmentLog, type Tail } from '../data/segment-log';
import type { Snapshot, WriteOutcome } from '../state/write-outcome';
import type { GetVersion } from '../state/version-cache';
import type { Write } from '../state/write';

/** A node run as a runner sends it: with its record, plain or packed, or with the id of an upload. */
export interface SentNodeRun extends Omit<NodeRun, 'chunk'> {
  readonly uploadId?: string;
}

/** Contents of one call for one execution. */
export interface Step {
  readonly executionId: string;
  readonly fence: number;
  readonly nodeRuns: readonly SentNodeRun[];
  /** Empty: unchanged. */
  readonly engineState?: Buffer;
  /** Version of the engine state; absent: 1. */
  readonly engineStateVersion?: number | undefined;
  readonly lastNode?: string;
  /** JSON object of strings recorded by the run; absent: unchanged. */
  readonly customDataJson?: string | undefined;
  /** Calls and tokens of models in all attempts so far; absent: unchanged. */
  readonly modelUsage?: ModelUsage | undefined;
  /** Hexadecimal SHA-256 of the token that wakes it, now or later. */
  readonly tokenHash?: string | undefined;
}

/** Ports of storing a step. */
export interface StepPorts {
  readonly apply: ApplyWrite;
  readonly chunks: ChunkStore;
  readonly log: SegmentLog;
  readonly readTail: ReadTail;
  readonly clock: Clock;
  readonly retentionMs: number;
  readonly getVersion: GetVersion;
}

/** Builds the write of a step; `found` is the document when an earlier form of the write was blocked. */
export type FormStepWrite = (progress: Progress, found: Snapshot | undefined) => Write;

/** Resolves the reference and size of each upload. @throws ChunkNotFound if one is missing or incomplete */
const resolveUploads = async ({ executionId, fence, nodeRuns }: Step, chunks: ChunkStore): Promise<NodeRun[]> => {
  const references = new Map(
    nodeRuns.flatMap(({ uploadId }) =>
      uploadId === undefined ? [] : [[uploadId, uploadReference(fence, uploadId) ?? ''] as const],
    ),
  );
  const heads = await chunks.headsOf(executionId, [...references.values()]);
  const resolved: NodeRun[] = [];
  for (const { uploadId, ...run } of nodeRuns) {
    if (uploadId === undefined) {
      resolved.push(run);
      continue;
    }
    const reference = references.get(uploadId) ?? '';
    const head = heads.get(reference);
    if (head === undefined) throw new ChunkNotFound(uploadId);
    resolved.push({ ...run, chunk: { reference, bytes: head.size } });
  }
  return resolved;
};

const storeEngineState = async (
  { executionId, fence, engineState, engineStateVersion: version = 1 }: Step,
  chunks: ChunkStore,
): Promise<Pick<Progress, 'engineState'>> => {
  if (engineState === undefined || engineState.length === 0) return {};
  if (engineState.length <= INLINE_BYTES) return { engineState: { version, bytes: engineState } };
  const chunk = contentReference(fence, 'engine', engineState);
  await chunks.put(executionId, chunk, engineState);
  return { engineState: { version, chunk } };
};

/** A record too large for a segment becomes a separate chunk. */
const chunkLargeRecord = async (run: NodeRun, { executionId, fence }: Step, chunks: ChunkStore): Promise<NodeRun> => {
  const { record, ...rest } = run;
  if (record === undefined || record.length <= SEGMENT_RECORD_BYTES) return run;
  const reference = contentReference(fence, 'record', record);
  await chunks.put(executionId, reference, record);
  return { ...rest, chunk: { reference, bytes: record.length } };
};

/** Contents of a step, besides its node runs. */
const storeRest = async (step: Step, chunks: ChunkStore): Promise<Omit<Progress, 'segments' | 'logged'>> => {
  const { customDataJson, modelUsage, tokenHash, lastNode = '' } = step;
  const last = step.nodeRuns.reduce<SentNodeRun | undefined>(
    (latest, one) => (latest === undefined || one.executionIndex > latest.executionIndex ? one : latest),
    undefined,
  );
  return {
    ...(last?.failed === true ? { failedRun: { node: last.node, executionIndex: last.executionIndex } } : {}),
    ...(await storeEngineState(step, chunks)),
    ...(customDataJson === undefined ? {} : { customData: checkCustomData(customDataJson) }),
    ...(modelUsage === undefined ? {} : { modelUsage }),
    ...(tokenHash === undefined ? {} : { tokenHash }),
    ...(lastNode === '' ? {} : { lastNode }),
  };
};

/** This step can have no effect any more: it was stored before, or its claim is lost. */
const isOver = ({ fence }: Step, before: number, tail: Tail | undefined): boolean =>
  tail !== undefined && (tail.fence !== fence || tail.state !== 'running' || tail.checkpoint > before);

/**
 * Writes the node runs of a step to the log, after those in the document, so that the log has few segments however
 * small the steps are. `tail` undefined: the execution has no node runs yet, as far as is known.
 */
const moveToLog = async (
  step: Step,
  runs: readonly NodeRun[],
  before: number,
  tail: Tail | undefined,
  log: SegmentLog,
): Promise<Logged> => {
  const known = await Promise.all((tail?.manifest ?? []).map(openSegment));
  const logSegments = await formSegments([...known.flat(), ...runs], step.fence, tail?.log?.length ?? 0);
  if (!isOver(step, before, tail)) await log.put(step.executionId, logSegments);
  return {
    segments: logSegments.map(({ reference, segment }) => ({ reference, count: segment.count })),
    count: runs.length,
    totalBytes: runs.reduce((sum, run) => sum + recordBytesOf(run), 0),
    after: tail?.nodeRunCount ?? 0,
  };
};

/** Destination of the node runs of a step. */
type Placement = Pick<Progress, 'segments' | 'logged'>;

/** The first form: into the document if they may fit there. */
const placeFirst = async (
  step: Step,
  runs: readonly NodeRun[],
  before: number,
  ports: StepPorts,
): Promise<Placement> => {
  if (runs.length === 0) return {};
  const segments = await packSegments(runs, step.fence);
  if (inlineBytesOf(segments) <= INLINE_BYTES) return { segments };
  return {
    logged: await moveToLog(
      step,
      runs,
      before,
      before === 0 ? undefined : await ports.readTail(step.executionId),
      ports.log,
    ),
  };
};

/** The form after a blocked one: node runs that do not fit into the document go to the log, with all that are there. */
const placeAgain = async (
  step: Step,
  runs: readonly NodeRun[],
  before: number,
  placement: Placement,
  found: Snapshot,
  ports: StepPorts,
): Promise<Placement> => {
  const { segments, logged } = placement;
  const isPlaced =
    segments === undefined
      ? logged === undefined || logged.after === found.nodeRunCount
      : found.inlineBytes + inlineBytesOf(segments) <= INLINE_BYTES;
  if (isPlaced) return placement;
  return { logged: await moveToLog(step, runs, before, await ports.readTail(step.executionId), ports.log) };
};

/** The limit of a run that its new node runs would exceed, if any. */
const brokenBound = (found: Snapshot, { segments, logged }: Placement): ExecutionError | undefined => {
  const added = segments === undefined ? logged : sizeOfSegments(segments);
  if (added === undefined) return undefined;
  const failure = (reason: string, message: string): ExecutionError => ({ reason, message, node: '', errorJson: '' });
  if (found.nodeRunCount + added.count > MAX_NODE_RUNS)
    return failure(END_REASONS.tooManyNodeRuns, limitSentence(LIMITS.nodeRuns, found.nodeRunCount + added.count));
  if (found.dataBytes + added.totalBytes > MAX_RUN_BYTES) {
    return failure(END_REASONS.dataTooLarge, limitSentence(LIMITS.runData, found.dataBytes + added.totalBytes));
  }
  return undefined;
};

/** A run that exceeds a limit ends with an error; its runner learns that it must drop it. */
const endForBound = async (
  step: Step,
  found: Snapshot,
  failure: ExecutionError,
  ports: StepPorts,
): Promise<WriteOutcome> => {
  const end = { fence: step.fence, checkpoint: found.checkpoint, error: failure };
  await ports.apply(
    step.executionId,
    reportWrite(end, {}, new Date(ports.clock()), { ms: retentionOf(found, ports.retentionMs), isDefault: false }),
  );
  return 'fenced';
};

/**
 * Maximum number of new forms of a blocked write: for its destination, for an existing response, for settings of its
 * workflow.
 */
const MAX_FORMS = 6;

/**
 * Stores the contents of a call for one execution, as one compare-and-set: inline if they fit, else in segments and
 * chunks that are written before. The checkpoint number and the fence ensure that the node runs moved out of the
 * document are those that were read.
 * @param before how many checkpoints were stored before.
 * @param judge decides whether the document, as it was found when the write was blocked, ends the run with an error.
 * @throws ChunkNotFound for a node run whose record was not uploaded; InvalidRequest; Unavailable
 */
export const storeStep = async (
  step: Step,
  before: number,
  form: FormStepWrite,
  ports: StepPorts,
  judge: (found: Snapshot) => Promise<ExecutionError | undefined> = () => Promise.resolve(undefined),
): Promise<WriteOutcome> => {
  const rest = await storeRest(step, ports.chunks);
  const resolved = await resolveUploads(step, ports.chunks);
  const runs = await Promise.all(resolved.map((run) => chunkLargeRecord(run, step, ports.chunks)));
  let placement = await placeFirst(step, runs, before, ports);
  let outcome: Outcome = await ports.apply(step.executionId, form({ ...rest, ...placement }, undefined));
  for (let forms = 1; outcome.outcome === 'blocked' && outcome.found !== undefined && forms < MAX_FORMS; forms += 1) {
    const { found } = outcome;
    const failure = brokenBound(found, placement) ?? (await judge(found));
    if (failure !== undefined) return endForBound(step, found, failure, ports);
    placement = await placeAgain(step, runs, before, placement, found, ports);
    outcome = await ports.apply(step.executionId, form({ ...rest, ...placement }, found));
  }
  return outcome.outcome === 'blocked' ? 'fenced' : outcome.outcome;
};
