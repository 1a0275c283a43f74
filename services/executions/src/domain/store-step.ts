import { limitSentence, LIMITS } from '@weft/service-kit/limits';
import { contentReference, uploadReference, type ChunkStore } from './chunks';
import { checkCustomData } from './custom-data';
import { ChunkNotFound, END_REASONS } from './errors';
import type { Failure, Segment } from './execution';
import { INLINE_BYTES, MAX_NODE_RUNS, MAX_RUN_BYTES } from './limits';
import { packSegment, type NodeRun } from './node-runs';
import type { ApplyWrite, Clock, Outcome } from './ports';
import { reportWrite, type Progress } from './run-writes';
import type { Snapshot, Verdict } from './verdict';
import type { Write } from './write';

/** A node run as a runner sends it: with its record, or with the id of an upload. */
export interface SentNodeRun extends Omit<NodeRun, 'chunk'> {
  readonly uploadId?: string;
}

/** What one call brings for one execution. */
export interface Step {
  readonly executionId: string;
  readonly fence: number;
  readonly nodeRuns: readonly SentNodeRun[];
  /** Empty: what is stored stays. */
  readonly engineState?: Buffer;
  readonly lastNode?: string;
  /** JSON object of texts that the run has put down; absent: what is stored stays. */
  readonly customDataJson?: string | undefined;
  /** SHA-256 of the token that wakes it, or may do so later, in hexadecimal. */
  readonly tokenHash?: string | undefined;
}

/** What storing a step needs. */
export interface StepPorts {
  readonly apply: ApplyWrite;
  readonly chunks: ChunkStore;
  readonly clock: Clock;
  readonly retentionMs: number;
}

/** Forms the write of a step; `found` is what the document was when an earlier form of it was blocked. */
export type FormStepWrite = (progress: Progress, found: Snapshot | undefined) => Write;

/** Gives each upload its reference and size. @throws ChunkNotFound if one is missing or was not finished */
const resolveUploads = async ({ executionId, fence, nodeRuns }: Step, chunks: ChunkStore): Promise<NodeRun[]> => {
  const references = new Map(nodeRuns.flatMap(({ uploadId }) => (uploadId === undefined ? [] : [[uploadId, uploadReference(fence, uploadId) ?? ''] as const])));
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

const toChunk = async ({ bytes, ...segment }: Segment, executionId: string, chunks: ChunkStore): Promise<Segment> => {
  if (bytes === undefined) return segment;
  const chunk = contentReference(segment.fence, 'segment', bytes);
  await chunks.put(executionId, chunk, bytes);
  return { ...segment, chunk };
};

const isLarge = (segment: Segment): boolean => (segment.bytes?.length ?? 0) > INLINE_BYTES;

const storeEngineState = async ({ executionId, fence, engineState }: Step, chunks: ChunkStore): Promise<Pick<Progress, 'engineState'>> => {
  if (engineState === undefined || engineState.length === 0) return {};
  if (engineState.length <= INLINE_BYTES) return { engineState: { bytes: engineState } };
  const chunk = contentReference(fence, 'engine', engineState);
  await chunks.put(executionId, chunk, engineState);
  return { engineState: { chunk } };
};

const prepare = async (step: Step, chunks: ChunkStore): Promise<Progress> => {
  const runs = await resolveUploads(step, chunks);
  const packed = runs.length === 0 ? undefined : await packSegment(runs, step.fence);
  const segment = packed === undefined || !isLarge(packed) ? packed : await toChunk(packed, step.executionId, chunks);
  const engine = await storeEngineState(step, chunks);
  const customData = step.customDataJson === undefined ? {} : { customData: checkCustomData(step.customDataJson) };
  const token = step.tokenHash === undefined ? {} : { tokenHash: step.tokenHash };
  return { ...engine, ...customData, ...token, ...(segment === undefined ? {} : { segment }), ...(step.lastNode === undefined || step.lastNode === '' ? {} : { lastNode: step.lastNode }) };
};

/** Which bound of a run the segment would break, if any. */
const brokenBound = (found: Snapshot, segment: Segment | undefined): Failure | undefined => {
  if (segment === undefined) return undefined;
  const failure = (reason: string, message: string): Failure => ({ reason, message, node: '', errorJson: '' });
  if (found.runCount + segment.count > MAX_NODE_RUNS) return failure(END_REASONS.tooManyNodeRuns, limitSentence(LIMITS.nodeRuns, found.runCount + segment.count));
  if (found.dataBytes + segment.totalBytes > MAX_RUN_BYTES) {
    return failure(END_REASONS.dataTooLarge, limitSentence(LIMITS.runData, found.dataBytes + segment.totalBytes));
  }
  return undefined;
};

/** A run that breaks a bound ends as an error; its runner is told to drop it. */
const endForBound = async (step: Step, found: Snapshot, failure: Failure, ports: StepPorts): Promise<Verdict> => {
  const end = { fence: step.fence, checkpoint: found.checkpoint, failure };
  await ports.apply(step.executionId, reportWrite(end, {}, new Date(ports.clock()), ports.retentionMs));
  return 'stale';
};

/** A blocked write is formed anew at most this often: once for its place, once for an answer that is there. */
const MAX_FORMS = 4;

/**
 * Stores what a call brings for one execution, as one compare-and-set: inline while that fits, else in chunks that are
 * written before.
 * @throws ChunkNotFound for a node run whose record was not uploaded; InvalidRequest; Unavailable
 */
export const storeStep = async (step: Step, form: FormStepWrite, ports: StepPorts): Promise<Verdict> => {
  let progress = await prepare(step, ports.chunks);
  let outcome: Outcome = await ports.apply(step.executionId, form(progress, undefined));
  for (let forms = 1; outcome.verdict === 'blocked' && outcome.found !== undefined && forms < MAX_FORMS; forms += 1) {
    const { found } = outcome;
    const failure = brokenBound(found, progress.segment);
    if (failure !== undefined) return endForBound(step, found, failure, ports);
    const inline = progress.segment?.bytes?.length ?? 0;
    if (progress.segment !== undefined && found.inlineBytes + inline > INLINE_BYTES) {
      progress = { ...progress, segment: await toChunk(progress.segment, step.executionId, ports.chunks) };
    }
    outcome = await ports.apply(step.executionId, form(progress, found));
  }
  return outcome.verdict === 'blocked' ? 'stale' : outcome.verdict;
};
