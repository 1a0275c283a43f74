import { createHash } from 'node:crypto';
import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { JSON_LIMITS } from '@weft/service-kit/json';
import type { VisibilityScopes } from '@weft/service-kit/visibility';
import { loadOwned } from '../end/cancel-execution';
import { readWhole, type ChunkStore } from '../data/chunks';
import { ExecutionNotFinished, RetryNotPossible, type Refuse } from '../state/errors';
import type { ExecutionRecord, Retry } from '../state/execution';
import { isEndState } from '../state/execution-state';
import { MAX_KEY_LENGTH } from '../state/limits';
import { newExecution } from '../start/new-execution';
import type { SegmentLog } from '../data/segment-log';
import type { ScopedReads } from '../read/scoped-executions';
import { isItemList } from '../start/is-list';
import { isInError } from '../start/start-child';
import { knownStart, queueExecution, storeInput, type Started, type StartPorts } from '../start/start-execution';
import type { PreparedStart } from '../start/prepared-start';
import type { FetchVersion, KnownVersion } from '../state/version-cache';
import { carryRun } from './carry-run';
import { checkCurrent } from './check-current';
import { copyFiles, type FilePorts } from './copy-files';

/** Options of a retry. */
export interface RetryOptions {
  readonly from: 'failed-node' | 'start';
  readonly version: 'original' | 'current';
}

/** The execution to retry. */
export interface RetryRequest extends RetryOptions {
  readonly executionId: string;
  /** Identifies repetitions of the same retry; empty: none. */
  readonly idempotencyKey: string;
  /** JSON array of items for the start, instead of the original input. */
  readonly input?: Buffer;
}

/**
 * Retries an execution: the new one is durable when this resolves.
 * @throws ExecutionNotFound, Forbidden, ExecutionNotFinished, RetryNotPossible, IdempotencyKeyReused, refusals of
 * starting
 */
export type RetryExecution = (request: RetryRequest, principal: Principal | undefined) => Promise<Started>;

/** Ports of retrying. */
export interface RetryPorts extends StartPorts, FilePorts {
  /** Executions visible to the caller, from which the original is read. */
  readonly reads: ScopedReads;
  readonly scopeOfRun: VisibilityScopes['ofRun'];
  readonly log: SegmentLog;
  /** Fetches a version past the cache, which ensures that it is kept for the retry. */
  readonly fetchVersion: FetchVersion;
}

/** The dedupe key of a caller's idempotency key, shared with the keys of starts. @throws InvalidRequest */
export const retryKeyOf = (idempotencyKey: string, principal: Principal | undefined): string => {
  if (idempotencyKey.length > MAX_KEY_LENGTH)
    throw new InvalidRequest('The retry is not valid.', [
      { field: 'idempotencyKey', message: `Use at most ${MAX_KEY_LENGTH} characters.` },
    ]);
  return idempotencyKey === '' || principal === undefined ? '' : `api:${principal.userId}:${idempotencyKey}`;
};

const hashOf = ({ executionId, from, version, input }: RetryRequest): string =>
  createHash('sha256')
    .update(JSON.stringify(['retry', executionId, from, version]))
    .update(input ?? '')
    .digest('base64url');

/** Versions of inline definitions have a separate kind of id; they never become current. */
const isInline = (versionId: string): boolean => versionId.charAt(14) === '8';

/**
 * The current workflow: it exists, and this user may start it. Whether its nodes can run does not matter to another
 * version.
 */
const checkWorkflow = async (
  { workflowId, startNode }: ExecutionRecord,
  principal: Principal | undefined,
  { prepareStart }: RetryPorts,
): Promise<PreparedStart | undefined> => {
  try {
    return await prepareStart({ workflowId, startNode, ...(principal === undefined ? {} : { principal }) });
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'WORKFLOW_NOT_RUNNABLE') return undefined;
    throw error;
  }
};

/** The version that a retry runs, and its owner. */
interface Pinned {
  readonly known: KnownVersion;
  readonly ownerId: string;
}

const pinOriginal = async (
  original: ExecutionRecord,
  principal: Principal | undefined,
  ports: RetryPorts,
): Promise<Pinned> => {
  const prepared = await checkWorkflow(original, principal, ports);
  // If this execution succeeded, no rule kept its version: a cached version may be deleted from the store.
  const known =
    (await ports.fetchVersion(original.versionId)) === undefined
      ? undefined
      : await ports.getVersion(original.versionId);
  if (known === undefined)
    throw new RetryNotPossible(
      original._id,
      'the version of the workflow that it ran no longer exists. Retry it with the current version.',
    );
  return { known, ownerId: prepared?.ownerId ?? original.ownerId };
};

const pinCurrent = async (
  { _id, versionId, workflowId, startNode }: ExecutionRecord,
  principal: Principal | undefined,
  ports: RetryPorts,
): Promise<Pinned> => {
  if (isInline(versionId))
    throw new RetryNotPossible(
      _id,
      'its definition came with the call of another workflow, and has no current version. Retry it with its ' +
        'original version.',
    );
  const prepared = await ports.prepareStart({
    workflowId,
    startNode,
    ...(principal === undefined ? {} : { principal }),
  });
  const known = await ports.getVersion(prepared.versionId);
  if (known === undefined) throw new RetryNotPossible(_id, 'the workflow was just changed. Try again.');
  return { known, ownerId: prepared.ownerId };
};

/**
 * The data that an execution takes over is visible where the execution is: data of a closed project must not leave it.
 * @throws what `refuse` makes
 */
export const checkKept = async (
  original: ExecutionRecord,
  ownerId: string,
  { scopeOfRun }: Pick<RetryPorts, 'scopeOfRun'>,
  refuse: Refuse,
): Promise<void> => {
  if (ownerId === original.ownerId || (await scopeOfRun(ownerId)).sees(original.ownerId)) return;
  throw refuse('it belongs to a closed project, which its workflow has left. Start the workflow again instead.');
};

const refusing =
  ({ _id }: ExecutionRecord): Refuse =>
  (why) =>
    new RetryNotPossible(_id, why);

/** A retry from the start would run all nodes. @throws RetryNotPossible */
const checkWhole = ({ _id, partial, nodeRunCount }: ExecutionRecord, { from }: RetryRequest): void => {
  if (partial !== undefined && (from === 'start' || nodeRunCount === 0))
    throw new RetryNotPossible(_id, 'it ran only some nodes of its workflow. Run these nodes again instead.');
};

/** @throws InvalidRequest, PayloadTooLarge */
const checkItems = async (
  original: ExecutionRecord,
  { input }: RetryRequest,
  { readJson }: RetryPorts,
): Promise<void> => {
  if (input === undefined || (await readJson(input, original, JSON_LIMITS, isItemList))) return;
  throw new InvalidRequest('The retry is not valid.', [{ field: 'input', message: 'must be a JSON array of items' }]);
};

const inputOf = async ({ _id, input, inputChunk }: ExecutionRecord, chunks: ChunkStore): Promise<Buffer> =>
  inputChunk === undefined ? (input ?? Buffer.alloc(0)) : readWhole(chunks, _id, inputChunk);

const linkTo = (original: ExecutionRecord): Retry => ({
  of: original._id,
  mode: original.retry?.mode ?? original.mode,
  ...(isInError(original) ? { inError: true } : {}),
});

/** Copies the data of the retry and creates its record. Chunks are written before the document that references them. */
const makeRetry = async (
  original: ExecutionRecord,
  request: RetryRequest,
  requestHash: string,
  { known, ownerId }: Pinned,
  ports: RetryPorts,
): Promise<ExecutionRecord> => {
  const { chunks, clock } = ports;
  const id = uuidv7();
  const input = request.input ?? (await inputOf(original, chunks));
  const carried = request.from === 'failed-node' ? await carryRun(original, id, { chunks, log: ports.log }) : undefined;
  if (carried !== undefined && request.version === 'current') {
    const before = await ports.getVersion(original.versionId);
    if (before === undefined)
      throw new RetryNotPossible(
        original._id,
        'the version that it ran no longer exists, so it cannot continue in another one. Retry it from the start.',
      );
    checkCurrent(original._id, carried.nodes, before.version, known.version);
  }
  await copyFiles(original, id, [input, ...(carried?.texts ?? [])], ports, refusing(original));
  const { workflowId, startNode, usePinData, partial } = original;
  const { versionId } = known.version;
  return newExecution(
    {
      id,
      workflowId,
      versionId,
      ownerId,
      startNode,
      mode: 'retry',
      facts: known.facts,
      usePinData,
      retry: linkTo(original),
      ...(partial === undefined ? {} : { partial }),
      input: await storeInput(chunks, id, input),
      notifies: ports.planNotifications({ ownerId, workflowId }),
      ...(carried === undefined ? {} : { carried: carried.run }),
      ...(request.idempotencyKey === '' ? {} : { idempotencyKey: request.idempotencyKey, requestHash }),
    },
    clock(),
  );
};

/** Retries executions. The retry has copies of all data that it needs: the original may be deleted at any time. */
export const createRetryExecution =
  (ports: RetryPorts): RetryExecution =>
  async (request, principal) => {
    const original = await loadOwned(request.executionId, principal, ports.reads);
    const requestHash = hashOf(request);
    const known = request.idempotencyKey === '' ? undefined : await ports.findByKey(request.idempotencyKey);
    if (known !== undefined) return knownStart(known, requestHash);
    if (!isEndState(original.state)) throw new ExecutionNotFinished(original._id);
    checkWhole(original, request);
    await checkItems(original, request, ports);
    const pinned = await (request.version === 'original' ? pinOriginal : pinCurrent)(original, principal, ports);
    const { ownerId } = pinned;
    await checkKept(original, ownerId, ports, refusing(original));
    const bytes = request.input?.length ?? original.inputBytes ?? 0;
    return queueExecution(
      { ownerId, workflowId: original.workflowId, mode: 'retry', bytes },
      requestHash,
      () => makeRetry(original, request, requestHash, pinned, ports),
      ports,
    );
  };
