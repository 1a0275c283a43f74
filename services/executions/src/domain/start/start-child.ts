import { createHash } from 'node:crypto';
import { InvalidRequest } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import type { VisibilityScopes } from '@weft/service-kit/visibility';
import { checkCall } from './call-policy';
import { isList } from './is-list';
import { childResult, type ChildResult } from './child-result';
import { readClaimed } from '../claim/check-claim';
import { CallRefused, ClaimLost, ExecutionNotFound, QueueFull, VersionNotFound } from '../state/errors';
import type { ExecutionRecord, HeldExecution, Parent } from '../state/execution';
import { isEndState } from '../state/execution-state';
import { cancelWrite, parentEnded } from '../state/free-writes';
import { MAX_CALL_DEPTH, MAX_RESULT_BYTES } from '../state/limits';
import { newExecution } from './new-execution';
import type { ApplyWrite, ClaimExecutions, ReadExecution, ReadHeld, ReadJson } from '../state/ports';
import type { QueueBudget, TakenRoom } from './queue-budget';
import { claimWrite, renewClaimWrite } from '../state/run-writes';
import type { SegmentLog } from '../data/segment-log';
import { storeInput, type StartPorts } from './start-execution';
import type { GetVersion, KnownVersion } from '../state/version-cache';
import type { WorkflowVersion } from '../state/workflow-version';

/** A sub-workflow that a running execution calls. */
export interface ChildRequest {
  readonly runnerId: string;
  readonly parentId: string;
  readonly fence: number;
  readonly node: string;
  readonly run: number;
  readonly item: number;
  /** Number of earlier tries of the node in this run. */
  readonly attempt: number;
  /** Empty if the definition comes with the call. */
  readonly workflowId: string;
  /** JSON object: the definition of the called workflow. */
  readonly definition?: Buffer;
  /** The child of an earlier call: if it was deleted, nothing is started. */
  readonly knownChildId?: string;
  /** JSON array of items; empty: none. */
  readonly input: Buffer;
  /** The parent does not wait for it: any runner may claim it. */
  readonly detached: boolean;
  /** Versions of the engine state that the runner can resume. */
  readonly engineStateVersions: readonly number[];
}

/** Status of the child. */
export type ChildStart =
  | { readonly kind: 'ended'; readonly child: ExecutionRecord; readonly result: ChildResult }
  | { readonly kind: 'claimed'; readonly child: ExecutionRecord; readonly version: WorkflowVersion }
  | { readonly kind: 'claimedByOther'; readonly childId: string }
  /** The queue is full, and nothing was started: the caller waits and tries again. */
  | { readonly kind: 'later'; readonly at: Date };

/**
 * Starts a child, or finds the one started before.
 * @throws ClaimLost, CallRefused, ExecutionNotFound, the refusals of the workflows service
 */
export type StartChild = (request: ChildRequest) => Promise<ChildStart>;

/** Ports of starting a child. */
export interface ChildPorts extends Pick<
  StartPorts,
  | 'prepareStart'
  | 'getVersion'
  | 'insert'
  | 'findByKey'
  | 'chunks'
  | 'publish'
  | 'readJson'
  | 'clock'
  | 'budget'
  | 'planNotifications'
> {
  readonly read: ReadExecution;
  readonly readHeld: ReadHeld;
  readonly scopeOfRun: VisibilityScopes['ofRun'];
  readonly log: SegmentLog;
  readonly claim: ClaimExecutions;
  readonly apply: ApplyWrite;
  readonly leaseMs: number;
  readonly retentionMs: number;
}

/** A repeated call finds its child by this key, also after a crash; a new try of the node has a different key. */
const idempotencyKeyOf = ({ parentId, node, run, item, attempt }: ChildRequest): string =>
  `sub:${parentId}:${node}:${run}:${item}${attempt === 0 ? '' : `:${attempt}`}`;

/** Repeating the call under the same claim on the parent repeats the same claim on the child. */
const claimIdOf = (request: ChildRequest): string =>
  `sub-${createHash('sha256')
    .update(`${request.fence}:${idempotencyKeyOf(request)}`)
    .digest('hex')
    .slice(0, 32)}`;

const checkInput = async (input: Buffer, parent: HeldExecution, readJson: ReadJson): Promise<void> => {
  if (input.length > 0 && !(await isList(input, parent, readJson)))
    throw new InvalidRequest('The input of a sub-workflow is not valid.', [
      { field: 'input', message: 'must be a JSON array of items' },
    ]);
};

const versionOf = async (versionId: string, getVersion: GetVersion): Promise<KnownVersion> => {
  const known = await getVersion(versionId);
  if (known === undefined) throw new VersionNotFound(versionId);
  return known;
};

/** True for runs of error workflows and their descendants. */
export const isInError = ({ mode, parent, retry }: Pick<ExecutionRecord, 'mode' | 'parent' | 'retry'>): boolean =>
  mode === 'error' || parent?.inError === true || retry?.inError === true;

const linkTo = (parent: HeldExecution, detached: boolean): Parent => ({
  executionId: parent._id,
  depth: (parent.parent?.depth ?? 0) + 1,
  rootId: parent.parent?.rootId ?? parent._id,
  ...(detached ? { detached: true } : {}),
  ...(isInError(parent) ? { inError: true } : {}),
});

const prepare = async ({ definition, ...request }: ChildRequest, parent: HeldExecution, ports: ChildPorts) => {
  const workflowId = definition === undefined ? request.workflowId : parent.workflowId;
  const prepared = await ports.prepareStart({
    workflowId,
    startNode: '',
    purpose: 'call',
    ...(definition === undefined ? {} : { definition }),
  });
  const called = await versionOf(prepared.versionId, ports.getVersion);
  await checkCall({ ...called, ownerId: prepared.ownerId }, parent, ports.scopeOfRun);
  return { workflowId, ...prepared, facts: called.facts };
};

/**
 * A detached child queues like any other run. One that is waited for runs in the slot of its caller, and needs no
 * capacity.
 */
const takeRoom = async (
  { detached, input }: ChildRequest,
  { ownerId, workflowId }: { ownerId: string; workflowId: string },
  budget: QueueBudget,
): Promise<TakenRoom> =>
  detached
    ? budget.take({ ownerId, workflowId, mode: 'integrated', bytes: input.length })
    : { settle: () => undefined };

/** Inserts the child, and returns its id or that of the one inserted before. @throws QueueFull */
const insertChild = async (
  request: ChildRequest,
  parent: HeldExecution,
  ports: ChildPorts,
): Promise<{ id: string; isNew: boolean; ownerId: string }> => {
  const link = linkTo(parent, request.detached);
  if (link.depth > MAX_CALL_DEPTH)
    throw new CallRefused(request.workflowId, `sub-workflows may call each other ${MAX_CALL_DEPTH} deep.`);
  const prepared = await prepare(request, parent, ports);
  const { ownerId } = prepared;
  const room = await takeRoom(request, prepared, ports.budget);
  try {
    const id = uuidv7();
    const input = await storeInput(ports.chunks, id, request.input);
    const child = {
      ...prepared,
      id,
      mode: 'integrated' as const,
      usePinData: false,
      input,
      notifies: ports.planNotifications(prepared),
      idempotencyKey: idempotencyKeyOf(request),
      parent: link,
    };
    const outcome = await ports.insert(newExecution(child, ports.clock()));
    return outcome.kind === 'known' ? { id: outcome.executionId, isNew: false, ownerId } : { id, isNew: true, ownerId };
  } finally {
    room.settle();
  }
};

/**
 * A caller that ended during the insert may have searched for its children too early.
 * @throws ClaimLost then
 */
const checkParentLives = async (parentId: string, childId: string, ports: ChildPorts): Promise<void> => {
  const parent = await ports.readHeld(parentId);
  if (parent !== undefined && !isEndState(parent.state)) return;
  await ports.apply(childId, cancelWrite(new Date(ports.clock()), ports.retentionMs, parentEnded(parentId)));
  throw new ClaimLost(parentId);
};

/** A free child is claimed for the caller, so that it runs in its parent's slot. */
const takeOver = async (
  childId: string,
  parent: HeldExecution,
  request: ChildRequest,
  ports: ChildPorts,
): Promise<ChildStart> => {
  // A child that shares the process of an isolated caller is part of that caller's work.
  const stamp = {
    claimId: claimIdOf(request),
    attempt: 0,
    runnerId: request.runnerId,
    isolated: parent.lease?.alone === true,
    engineStateVersions: request.engineStateVersions,
  };
  const now = new Date(ports.clock());
  const claim = {
    ...stamp,
    take: claimWrite(stamp, now, ports.leaseMs),
    renew: renewClaimWrite(stamp, now, ports.leaseMs),
  };
  const [child] = await ports.claim([childId], claim);
  if (child !== undefined)
    return { kind: 'claimed', child, version: (await versionOf(child.versionId, ports.getVersion)).version };
  const found = await ports.read(childId);
  if (found === undefined || !isEndState(found.state)) return { kind: 'claimedByOther', childId };
  return { kind: 'ended', child: found, result: await childResult(found, ports, MAX_RESULT_BYTES) };
};

/** The child of an earlier call. @throws ExecutionNotFound if it was deleted since */
const findKnown = async (childId: string, { parentId }: ChildRequest, ports: ChildPorts): Promise<string> => {
  const child = await ports.readHeld(childId);
  if (child?.parent?.executionId !== parentId) throw new ExecutionNotFound(childId);
  return childId;
};

/** The parent, and the child from an earlier repetition of the same call. */
const look = (request: ChildRequest, ports: ChildPorts): Promise<[HeldExecution, string | undefined]> => {
  const { knownChildId } = request;
  const known =
    knownChildId === undefined
      ? ports.findByKey(idempotencyKeyOf(request)).then((holder) => holder?.executionId)
      : findKnown(knownChildId, request, ports);
  return Promise.all([readClaimed(request.parentId, request.fence, ports.readHeld), known]);
};

/** A run can wait, unlike an external caller: without capacity the response contains when to try again. */
const insertOrPark = (request: ChildRequest, parent: HeldExecution, ports: ChildPorts) =>
  insertChild(request, parent, ports).catch((error: unknown): Extract<ChildStart, { kind: 'later' }> => {
    if (!(error instanceof QueueFull)) throw error;
    return { kind: 'later', at: new Date(ports.clock() + ports.budget.retryDelayMs()) };
  });

/** Starts children; the call of one try of one node run for one item has one child, however often it is repeated. */
export const createStartChild =
  (ports: ChildPorts): StartChild =>
  async (request) => {
    const [parent, known] = await look(request, ports);
    await checkInput(request.input, parent, ports.readJson);
    const made =
      known === undefined
        ? await insertOrPark(request, parent, ports)
        : { id: known, isNew: false, ownerId: parent.ownerId };
    if ('at' in made) return made;
    const { id, isNew, ownerId } = made;
    if (!request.detached) {
      const [started] = await Promise.all([
        takeOver(id, parent, request, ports),
        isNew ? checkParentLives(request.parentId, id, ports) : undefined,
      ]);
      return started;
    }
    if (isNew) ports.publish(id, '0', { ownerId });
    return { kind: 'claimedByOther', childId: id };
  };
