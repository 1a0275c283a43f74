import type { Principal } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import { contentReference, type ChunkStore } from '../data/chunks';
import { ExecutionIdTaken, ExecutionOverlaps, IdempotencyKeyReused, VersionNotFound } from '../state/errors';
import type { BeginExecution } from '../inline/inline-runs';
import type { Begun, InlineOptions } from '../inline/in-memory-runs';
import type { ExecutionRecord } from '../state/execution';
import type { SpentFences } from './fence-execution';
import { INLINE_BYTES } from '../state/limits';
import { isForgotten } from './event-key';
import { newExecution } from './new-execution';
import type { QueueBudget } from './queue-budget';
import type { QueuedRun } from './queue-ledger';
import type { Clock, InsertExecution, Publish, ReadJson } from '../state/ports';
import { perhapsStarted } from '../state/start-outcome';
import { checkStart, type CheckedStart, type Starter, type StartRequest } from './start-request';
import type { PrepareStart, PreparedStart } from './prepared-start';
import type { PlanNotifications } from '../notifications/known-subscriptions';
import type { GetVersion } from '../state/version-cache';
import type { VersionFacts } from '../state/workflow-version';

/** An accepted execution. */
export interface Started {
  readonly executionId: string;
  /** The idempotency key or the id was known: this is the existing execution. */
  readonly existing: boolean;
  /** The execution as stored, if it was stored just now. */
  readonly record?: ExecutionRecord;
}

/**
 * Accepts a start: it is durable when this resolves, and may have run by then. `waitMs`: time for which its caller
 * waits for its result.
 * @throws refusals of checkStart and the workflows service, IdempotencyKeyReused, ExecutionIdTaken, ExecutionOverlaps,
 * VersionNotFound, QueueFull, Unavailable
 */
export type StartExecution = (request: StartRequest, starter: Starter, waitMs?: number) => Promise<Started>;

/** Finds the execution of a dedupe key. */
export type FindByKey = (
  idempotencyKey: string,
) => Promise<{ readonly executionId: string; readonly requestHash: string } | undefined>;

/** Finds the start that an id was created for. */
export type FindStart = FindByKey;

/** Frees the dedupe key of an execution that has it. @throws Unavailable */
export type ReleaseKey = (executionId: string, idempotencyKey: string) => Promise<void>;

/** Ports of starting. */
export interface StartPorts {
  readonly prepareStart: PrepareStart;
  readonly getVersion: GetVersion;
  readonly begin: BeginExecution;
  /** Milliseconds for which a run may proceed before it is stored. */
  readonly holdMs: number;
  /** True if an owner has many executions in a saturated runner: further ones wait in the queue. */
  readonly isSaturating: (ownerId: string) => boolean;
  readonly insert: InsertExecution;
  readonly findByKey: FindByKey;
  readonly findStart: FindStart;
  readonly releaseKey: ReleaseKey;
  readonly fences: SpentFences;
  readonly chunks: ChunkStore;
  readonly budget: QueueBudget;
  readonly planNotifications: PlanNotifications;
  /** Refuses an execution that a user may no longer see. @throws Forbidden, Unavailable */
  readonly requireVisible: (executionId: string, user: Principal) => Promise<void>;
  readonly publish: Publish;
  readonly readJson: ReadJson;
  readonly clock: Clock;
}

/** Stores an input inline or as a chunk. Chunks are written before the document that references them. */
export const storeInput = async (
  chunks: ChunkStore,
  executionId: string,
  input: Buffer,
): Promise<{ bytes?: Buffer; chunk?: string; size?: number }> => {
  if (input.length === 0) return {};
  if (input.length <= INLINE_BYTES) return { bytes: input, size: input.length };
  const chunk = contentReference(0, 'input', input);
  await chunks.put(executionId, chunk, input);
  return { chunk, size: input.length };
};

/** A key's execution, if the request is the one it was created with. @throws IdempotencyKeyReused */
export const knownStart = (
  holder: { readonly executionId: string; readonly requestHash: string },
  requestHash: string,
): Started => {
  if (holder.requestHash !== requestHash) throw new IdempotencyKeyReused(holder.executionId);
  return { executionId: holder.executionId, existing: true };
};

/**
 * Stores a new execution in the queue, if that has capacity, and announces it.
 * @param make creates its record; chunks are written before the document that references them
 * @throws IdempotencyKeyReused, QueueFull, Unavailable, what `make` throws
 */
export const queueExecution = async (
  run: QueuedRun,
  requestHash: string,
  make: () => Promise<ExecutionRecord>,
  { budget, insert, publish }: Pick<StartPorts, 'budget' | 'insert' | 'publish'>,
): Promise<Started> => {
  const room = await budget.take(run);
  try {
    const record = await make();
    const outcome = await insert(record);
    if (outcome.kind === 'known') return knownStart(outcome, requestHash);
    publish(record._id, '0', { ownerId: run.ownerId });
    return { executionId: record._id, existing: false };
  } finally {
    room.settle();
  }
};

const pin = async (
  { request, principal, mode }: CheckedStart,
  ports: StartPorts,
): Promise<PreparedStart & { facts: VersionFacts }> => {
  if (request.versionId !== '') {
    const known = await ports.getVersion(request.versionId);
    if (known === undefined || known.version.workflowId !== request.workflowId)
      throw new VersionNotFound(request.versionId);
    return {
      versionId: request.versionId,
      // The current owner of the workflow: a version keeps its original owner when its workflow is moved.
      ownerId: request.ownerId === '' ? known.version.ownerId : request.ownerId,
      startNode: request.startNode,
      facts: known.facts,
    };
  }
  const { workflowId, startNode } = request;
  const usePinData = mode === 'manual' && request.usePinData;
  const prepared = await ports.prepareStart({
    workflowId,
    startNode,
    usePinData,
    ...(principal === undefined ? {} : { principal }),
  });
  const known = await ports.getVersion(prepared.versionId);
  if (known === undefined) throw new VersionNotFound(prepared.versionId);
  return { ...prepared, facts: known.facts };
};

type Accepted = Begun & { readonly id: string; readonly ownerId: string };

/** A repeated start may already run, so it is stored first. So is one that has to wait in the queue. */
const inlineOptionsOf = (
  { request }: CheckedStart,
  { ownerId }: Pick<PreparedStart, 'ownerId'>,
  waitMs: number | undefined,
  { holdMs, isSaturating }: StartPorts,
): InlineOptions => {
  const isAwaited = waitMs !== undefined;
  if (request.isRepeated === true || isSaturating(ownerId)) return { ms: 0, isAwaited };
  return { ms: isAwaited ? Math.min(waitMs, holdMs) : holdMs, isAwaited };
};

const accept = async (checked: CheckedStart, waitMs: number | undefined, ports: StartPorts): Promise<Accepted> => {
  const { facts, versionId, ownerId, startNode } = await pin(checked, ports);
  const { request, mode, idempotencyKey, requestHash } = checked;
  const { workflowId, usePinData } = request;
  const room = await ports.budget.take({ ownerId, workflowId, mode, bytes: request.input.length });
  try {
    const id = request.executionId ?? uuidv7();
    const input = await storeInput(ports.chunks, id, request.input);
    const options = {
      id,
      workflowId,
      versionId,
      ownerId,
      startNode,
      mode,
      facts,
      usePinData,
      input,
      notifies: ports.planNotifications({ ownerId, workflowId }),
      requestHash,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      ...(request.isRepeated === true ? { isRepeated: true } : {}),
      ...(request.expiresOnSuccess === true ? { expiresOnSuccess: true } : {}),
      ...(request.mutexKey === undefined ? {} : { mutexKey: `${workflowId}:${request.mutexKey}` }),
    };
    const record = newExecution(options, ports.clock());
    const begun = ports.begin(record, inlineOptionsOf(checked, { ownerId }, waitMs, ports));
    return { id, ownerId, ...(await begun.catch((error: unknown) => Promise.reject(perhapsStarted(error, id)))) };
  } finally {
    room.settle();
  }
};

/** The execution created by an earlier attempt of the start: searched only if it has a key or was sent before. */
const findEarlier = async (
  { idempotencyKey, requestHash, request }: CheckedStart,
  ports: StartPorts,
): Promise<Awaited<ReturnType<FindByKey>>> => {
  const byKey = idempotencyKey === undefined ? undefined : await ports.findByKey(idempotencyKey);
  if (byKey !== undefined || request.isRepeated !== true || request.executionId === undefined) return byKey;
  const byId = await ports.findStart(request.executionId);
  if (byId !== undefined && byId.requestHash !== requestHash) throw new ExecutionIdTaken(byId.executionId);
  return byId;
};

/** A start that is impossible now may have succeeded before. */
const acceptOrFind = async (
  checked: CheckedStart,
  waitMs: number | undefined,
  ports: StartPorts,
): Promise<Accepted> => {
  try {
    return await accept(checked, waitMs, ports);
  } catch (error) {
    const holder = await findEarlier(checked, ports).catch(() => undefined);
    if (holder === undefined) throw error;
    return { id: '', ownerId: '', kind: 'known', ...holder };
  }
};

/** Refuses a repeated start whose first attempt has met a fence. @throws ExecutionIdTaken */
const checkFence = async ({ isRepeated, executionId }: StartRequest, { fences }: StartPorts): Promise<void> => {
  if (isRepeated !== true || executionId === undefined) return;
  // A store that is away refuses the start itself, unless it was accepted before.
  const isFenced = await fences.isSpent(executionId).catch(() => false);
  if (isFenced) throw new ExecutionIdTaken(executionId);
};

/** As `acceptOrFind`; an event whose key has expired starts a new execution. */
const acceptEvent = async (checked: CheckedStart, waitMs: number | undefined, ports: StartPorts): Promise<Accepted> => {
  const outcome = await acceptOrFind(checked, waitMs, ports);
  const { event, idempotencyKey } = checked;
  if (outcome.kind !== 'known' || event === undefined || idempotencyKey === undefined) return outcome;
  if (!isForgotten(event, outcome.executionId, ports.clock())) return outcome;
  await ports.releaseKey(outcome.executionId, idempotencyKey);
  return acceptOrFind(checked, waitMs, ports);
};

/** Starts executions. Concurrent starts share the calls and the write. */
export const createStartExecution =
  (ports: StartPorts): StartExecution =>
  async (request, starter, waitMs) => {
    const checked = await checkStart(request, starter, ports.readJson);
    await checkFence(request, ports);
    const outcome = await acceptEvent(checked, waitMs, ports);
    if (outcome.kind === 'known') {
      if (starter.principal !== undefined) await ports.requireVisible(outcome.executionId, starter.principal);
      // The key of an event includes what its sender is known by; the rest of the request may differ.
      return knownStart(outcome, checked.event === undefined ? checked.requestHash : outcome.requestHash);
    }
    if (outcome.kind === 'overlaps') throw new ExecutionOverlaps(outcome.executionId);
    if (outcome.kind === 'id-taken') {
      if (request.isRepeated !== true) await ports.fences.spend(outcome.id);
      throw new ExecutionIdTaken(outcome.id);
    }
    const { id, ownerId, record } = outcome;
    // If it was released before it was stored, it was published then.
    if (record === undefined || (record.state === 'queued' && record.generation === 0))
      ports.publish(id, '0', { ownerId });
    return {
      executionId: id,
      existing: outcome.isRepeated === true,
      ...(record === undefined || outcome.isRepeated === true ? {} : { record }),
    };
  };
