import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { readVersion } from '../definitions/type-version-defaults';
import { WorkflowNotFound, WorkflowNotRunnable } from '../errors';
import type { ScopedWorkflows } from '../scoped-stores';
import { planStart } from '../versions/plan-start';
import { findVersion, storeDraft, type PartialDeps } from '../versions/prepare-partial';
import { factsOf } from '../versions/version-facts';
import { loadOwned } from '../workflows/change-workflow';
import { TestPathTaken, TooManyListening } from './errors';
import type { Listening, ListeningStore } from './listening';
import { keysOf, listeningRoute } from './listening-route';

/** A request to wait for a call. */
export interface ListeningRequest {
  readonly workflowId: string;
  /** The draft; undefined: the stored definition. */
  readonly definition: Buffer | undefined;
  readonly node: string;
  /** 0: two minutes. */
  readonly seconds: number;
}

/** Maximum number of workflows of one owner that wait at the same time. */
export const MAX_LISTENING = 20;

const MAX_SECONDS = 300;
const DEFAULT_SECONDS = 120;

/** Use cases of users. */
export interface ListeningUseCases {
  /**
   * Waits for one call, in place of the earlier listening of the workflow.
   * @throws WorkflowNotFound, NotYourWorkflow, InvalidRequest, WorkflowNotRunnable, CredentialNotGranted,
   * PayloadTooLarge, TestPathTaken, TooManyListening
   */
  readonly startListening: (request: ListeningRequest, user: Principal) => Promise<Listening>;
  /** Undefined: the workflow does not wait, and has got no call lately. @throws WorkflowNotFound */
  readonly getListening: (workflowId: string) => Promise<Listening | undefined>;
  /** @param id only this one; empty: whichever it is @throws WorkflowNotFound, NotYourWorkflow */
  readonly stopListening: (workflowId: string, id: string, user: Principal) => Promise<void>;
}

interface ListeningDeps extends PartialDeps {
  readonly listenings: ListeningStore;
  readonly workflows: ScopedWorkflows;
  /** Unix milliseconds by the clock of the store. */
  readonly clock: () => number;
}

const lastsFor = (seconds: number): number => {
  if (seconds > MAX_SECONDS)
    throw new InvalidRequest('The workflow cannot wait for this call.', [
      { field: 'seconds', message: `Use 1 to ${MAX_SECONDS} seconds.` },
    ]);
  return (seconds === 0 ? DEFAULT_SECONDS : seconds) * 1_000;
};

/** The id of a workflow as shown to a caller; empty if the caller may not see it. */
const shownId = async (workflows: ScopedWorkflows, id: string): Promise<string> =>
  (await workflows.findHeads([id])).length === 0 ? '' : id;

/** Refuses an address that another workflow waits at. @throws TestPathTaken */
const refuseTaken = async (listening: Listening, { listenings, workflows, clock }: ListeningDeps): Promise<void> => {
  const now = new Date(clock());
  const keys = keysOf(listening);
  const holder =
    (await listenings.findWaiting(keys, now)).find(({ workflowId }) => workflowId !== listening.workflowId) ??
    (await listenings.findOverlap(keys, listening.ownerId, now));
  if (holder === undefined) return;
  throw new TestPathTaken(listening.path, listening.methods[0] ?? '', await shownId(workflows, holder.workflowId));
};

/**
 * Stores a listening. Addresses that overlap with those of others are looked up before and, because others may write at
 * the same moment, after it: at least one of two such writes finds the other.
 */
const store = async (listening: Listening, deps: ListeningDeps): Promise<void> => {
  const { listenings, clock } = deps;
  await refuseTaken(listening, deps);
  if ((await listenings.put(listening, new Date(clock()))) === 'taken')
    throw new TestPathTaken(listening.path, listening.methods[0] ?? '', '');
  try {
    await refuseTaken(listening, deps);
  } catch (error) {
    await listenings.remove(listening.workflowId, listening.id);
    throw error;
  }
};

const start = async (request: ListeningRequest, user: Principal, deps: ListeningDeps): Promise<Listening> => {
  const { workflowId, definition: draft, node, seconds } = request;
  const { listenings, workflows, versions, clock } = deps;
  const lastsMs = lastsFor(seconds);
  const head = await loadOwned(workflows, workflowId, user);
  const versionId = draft === undefined ? head.versionId : await storeDraft(draft, user.userId, head, deps);
  const version = await findVersion(versionId, head, versions);
  const definition = readVersion(version);
  const route = listeningRoute(definition, node, workflowId);
  const planned = planStart(factsOf(definition, version.definition.length), { startNode: node, usePinData: true });
  if ('errors' in planned) throw new WorkflowNotRunnable(workflowId, planned.errors);
  const { ownerId } = head;
  const now = clock();
  if ((await listenings.countWaiting(ownerId, workflowId, new Date(now))) >= MAX_LISTENING)
    throw new TooManyListening(MAX_LISTENING);
  const until = new Date(now + lastsMs);
  const listening = { workflowId, id: uuidv7(), ownerId, versionId, node, ...route, until };
  await store(listening, deps);
  return listening;
};

/** The use cases of users, limited to what they may see. */
export const listeningUseCases = (deps: ListeningDeps): ListeningUseCases => ({
  startListening: (request, user) => start(request, user, deps),
  getListening: async (workflowId) => {
    if ((await deps.workflows.find(workflowId)) === undefined) throw new WorkflowNotFound(workflowId);
    return deps.listenings.find(workflowId);
  },
  stopListening: async (workflowId, id, user) => {
    await loadOwned(deps.workflows, workflowId, user);
    await deps.listenings.remove(workflowId, id === '' ? undefined : id);
  },
});
