import { createHash } from 'node:crypto';
import type { RunPlan } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest, Unavailable } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { copyFiles } from '../retries/copy-files';
import { storeState } from '../retries/copy-runs';
import { checkKept, type RetryPorts } from '../retries/retry-execution';
import { newExecution, type CarriedRun } from '../start/new-execution';
import type { PreparedStart } from '../start/prepared-start';
import { knownStart, queueExecution, storeInput, type Started } from '../start/start-execution';
import { checkStart, type CheckedStart, type StartRequest } from '../start/start-request';
import { ReuseNotPossible, VersionNotFound, type Refuse } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import { loadPrevious, summarize } from './previous-execution';
import { PARTIAL_STATE_VERSION, partialState } from './partial-state';
import { reuseRuns } from './reuse-runs';

/** A start of a definition that is not stored, or of some nodes. */
export interface PartialStart {
  readonly start: StartRequest;
  /** Absent: the stored definition. */
  readonly definition?: Buffer;
  /** Empty: everything that the start reaches. */
  readonly destinationNode: string;
  /** An execution whose output is used again; empty: none. */
  readonly reuseFrom: string;
}

/** An accepted execution, and the nodes whose output is used again. */
export interface PartialStarted extends Started {
  readonly reused: readonly string[];
}

/**
 * Starts an execution of some nodes: it is durable when this resolves.
 * @throws refusals of checkStart and of the workflows service, ExecutionNotFound, ExecutionNotFinished,
 * ReuseNotPossible, IdempotencyKeyReused, VersionNotFound, QueueFull, Unavailable
 */
export type StartPartialExecution = (
  request: PartialStart,
  principal: Principal | undefined,
) => Promise<PartialStarted>;

const hashOf = ({ requestHash }: CheckedStart, { definition, destinationNode, reuseFrom }: PartialStart): string =>
  createHash('sha256')
    .update(JSON.stringify([requestHash, destinationNode, reuseFrom]))
    .update(definition ?? '')
    .digest('base64url');

const MAX_NAME_LENGTH = 500;

const checkNames = ({ start: { startNode }, destinationNode, reuseFrom }: PartialStart): void => {
  const invalid = (field: string, message: string): InvalidRequest =>
    new InvalidRequest('The start is not valid.', [{ field, message }]);
  if (destinationNode.length > MAX_NAME_LENGTH)
    throw invalid('destinationNode', `Use at most ${MAX_NAME_LENGTH} characters.`);
  if (reuseFrom !== '' && destinationNode === '' && startNode === '')
    throw invalid('destinationNode', 'is required with reuseFrom, unless startNode is set');
};

/** @throws ReuseNotPossible if the plan lacks data, or the input would have no effect */
const checkPlan = (plan: RunPlan, { start, reuseFrom }: PartialStart, startNode: string): void => {
  if (plan.missing.length > 0)
    throw new ReuseNotPossible(
      reuseFrom,
      'nodes that lead to the start node have no output to use. Run them as well.',
      plan.missing.slice(0, 20).map((node) => ({ field: node, message: 'This node has no output to use.' })),
    );
  if (start.input.length > 0 && plan.reused.includes(startNode))
    throw new InvalidRequest('The start is not valid.', [
      { field: 'input', message: `must be absent: the output of "${startNode}" is used again` },
    ]);
};

type Planned = PreparedStart & { readonly plan: RunPlan };

const prepare = async (
  request: PartialStart,
  principal: Principal | undefined,
  previous: ExecutionRecord | undefined,
  ports: RetryPorts,
): Promise<Planned> => {
  const { start, definition, destinationNode } = request;
  const { workflowId, startNode, usePinData } = start;
  const prepared = await ports.prepareStart({
    workflowId,
    startNode,
    usePinData,
    plan: { destinationNode, previous: previous === undefined ? undefined : await summarize(previous, ports) },
    ...(definition === undefined ? {} : { definition }),
    ...(principal === undefined ? {} : { principal }),
  });
  // An earlier release ignores the request for a plan: all nodes of the stored definition would run.
  if (prepared.plan === undefined) throw new Unavailable('The workflows service is being upgraded. Try again.');
  checkPlan(prepared.plan, request, prepared.startNode);
  return { ...prepared, plan: prepared.plan };
};

const refusing =
  ({ _id }: ExecutionRecord): Refuse =>
  (why) =>
    new ReuseNotPossible(_id, why);

/** Copies of output, and the state to begin with; undefined for a run of all nodes. */
const carry = async (
  { plan, startNode }: Planned,
  previous: ExecutionRecord | undefined,
  executionId: string,
  ports: RetryPorts,
): Promise<CarriedRun | undefined> => {
  if (plan.runsAll) return undefined;
  const reused =
    previous === undefined || plan.reused.length === 0
      ? undefined
      : await reuseRuns(previous, new Set(plan.reused), executionId, ports);
  if (previous !== undefined && reused !== undefined)
    await copyFiles(previous, executionId, reused.texts, ports, refusing(previous));
  const count = reused?.count ?? 0;
  return {
    ...(reused?.data ?? { manifest: [], inlineBytes: 0, dataBytes: 0 }),
    nodeRunCount: count,
    ...(await storeState(partialState(plan, startNode, count), executionId, ports.chunks)),
    engineStateVersion: PARTIAL_STATE_VERSION,
  };
};

const makeExecution = async (
  request: PartialStart,
  checked: CheckedStart,
  prepared: Planned,
  previous: ExecutionRecord | undefined,
  ports: RetryPorts,
): Promise<ExecutionRecord> => {
  const { start, destinationNode, reuseFrom } = request;
  const { versionId, ownerId, startNode, plan } = prepared;
  const known = await ports.getVersion(versionId);
  if (known === undefined) throw new VersionNotFound(versionId);
  const id = start.executionId ?? uuidv7();
  const carried = await carry(prepared, previous, id, ports);
  const { workflowId, usePinData, input } = start;
  return newExecution(
    {
      id,
      workflowId,
      versionId,
      ownerId,
      startNode,
      mode: 'manual',
      facts: known.facts,
      usePinData,
      input: await storeInput(ports.chunks, id, input),
      notifies: ports.planNotifications({ ownerId, workflowId }),
      requestHash: checked.requestHash,
      ...(carried === undefined ? {} : { carried, partial: { destinationNode, reuseFrom, reused: plan.reused } }),
      ...(checked.idempotencyKey === undefined ? {} : { idempotencyKey: checked.idempotencyKey }),
    },
    ports.clock(),
  );
};

/** Starts executions of some nodes. They have copies of all data that they use. */
export const createStartPartial = (ports: RetryPorts): StartPartialExecution => {
  const { reads } = ports;
  const existing = async (executionId: string): Promise<readonly string[]> =>
    (await reads.readShown(executionId))?.partial?.reused ?? [];
  return async (request, principal) => {
    checkNames(request);
    const { start, reuseFrom } = request;
    const asked = await checkStart(start, principal === undefined ? {} : { principal }, ports.readJson);
    const checked = { ...asked, requestHash: hashOf(asked, request) };
    const { idempotencyKey, requestHash } = checked;
    const known = idempotencyKey === undefined ? undefined : await ports.findByKey(idempotencyKey);
    if (known !== undefined) return { ...knownStart(known, requestHash), reused: await existing(known.executionId) };
    const previous =
      reuseFrom === '' ? undefined : await loadPrevious(reuseFrom, start.workflowId, reads, ports.fetchVersion);
    const prepared = await prepare(request, principal, previous, ports);
    const { ownerId, plan } = prepared;
    if (previous !== undefined && plan.reused.length > 0) await checkKept(previous, ownerId, ports, refusing(previous));
    const { workflowId } = start;
    const started = await queueExecution(
      { ownerId, workflowId, mode: 'manual', bytes: start.input.length },
      requestHash,
      () => makeExecution(request, checked, prepared, previous, ports),
      ports,
    );
    return { ...started, reused: started.existing ? await existing(started.executionId) : plan.reused };
  };
};
