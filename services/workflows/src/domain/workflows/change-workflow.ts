import { mayChange, type Principal } from '@weft/service-kit/auth';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotYourWorkflow, WorkflowBusy, WorkflowNotFound } from '../errors';
import { untilLeasesEnd, withRelease } from '../routes/route-releases';
import type { ScopedWorkflows } from '../scoped-stores';
import type { StoreWithHooks } from '../hooks/store-with-hooks';
import { writeRoutes } from '../routes/write-routes';
import type { Workflow } from './workflow';

/** A change of one workflow. */
export interface WorkflowChange {
  readonly workflowId: string;
  readonly user: Principal;
  /**
   * Returns the changed workflow, or the same object if there is nothing to change. Called again after a concurrent
   * change.
   */
  readonly change: (seen: Workflow) => Workflow | Promise<Workflow>;
}

/** Maximum time for a change including retries, unless the request has less. */
const MAX_CHANGE_MS = 25_000;

/** Time reserved for the response when a change gives up. */
const ANSWER_MS = 500;

/** Maximum pause before a change is retried, in milliseconds. */
const MAX_PAUSE_MS = 200;

/** Serializes changes in this process. */
export interface SerialChanges {
  /** Does the work after earlier work with the same key, or after a maximum wait; correctness does not depend on it. */
  readonly oneByOne: <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
  /** Milliseconds left for the current request, at most the limit. */
  readonly remainingMs: (limitMs: number) => number;
}

/** A workflow that the user may change. @throws WorkflowNotFound, NotYourWorkflow */
export const loadOwned = async (
  store: Pick<ScopedWorkflows, 'find'>,
  id: string,
  user: Principal,
): Promise<Workflow> => {
  const workflow = await store.find(id);
  if (workflow === undefined) throw new WorkflowNotFound(id);
  if (!mayChange(user, workflow.ownerId)) throw new NotYourWorkflow(id);
  return workflow;
};

/**
 * Changes on other replicas are not serialized with these: a random pause, longer each time, lets one of them through.
 */
const pause = (attempt: number): Promise<void> => sleep(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS));

/**
 * True if the stored workflow is what was to be written. Never true for a deletion, which leaves nothing to be found.
 */
const isStored = (tried: Workflow, seen: Workflow): boolean =>
  tried.deletedAt === undefined &&
  seen.versionId === tried.versionId &&
  seen.activation?.id === tried.activation?.id &&
  seen.updatedAt.getTime() === tried.updatedAt.getTime();

/** Stores a workflow as it was before a write. @throws WorkflowBusy if it has changed since */
export const undoWrite = async (
  store: Pick<ScopedWorkflows, 'update'>,
  written: Workflow,
  undone: Workflow,
): Promise<void> => {
  // The version that was written stays: the changed workflow may refer to it.
  if ((await store.update(written, withRelease(written, undone))) !== 'done') throw new WorkflowBusy(written.id);
};

/** Where changed workflows are stored. */
export interface ChangeStores {
  readonly workflows: ScopedWorkflows;
  readonly storeWithHooks: StoreWithHooks;
}

/** Retries the change until it is stored without a conflict, or until `end` (monotonic milliseconds). */
const changeUntil = async (
  end: number,
  { workflows: store, storeWithHooks }: ChangeStores,
  { workflowId, user, change }: WorkflowChange,
): Promise<Workflow> => {
  let tried: Workflow | undefined;
  for (let attempt = 0; performance.now() < end; attempt += 1) {
    if (attempt > 0) await pause(attempt);
    const seen = await loadOwned(store, workflowId, user);
    // A write retried after a transient error may have succeeded the first time: that is no conflict.
    if (tried !== undefined && isStored(tried, seen)) return seen;
    const changed = await change(seen);
    if (changed === seen) return seen;
    const next = withRelease(seen, changed);
    const undone = (): Workflow => ({ ...seen, updatedAt: new Date() });
    const outcome = await storeWithHooks({
      next,
      previous: seen.activation,
      write: () =>
        writeRoutes(store, {
          next,
          previous: seen.activation,
          write: () => store.update(seen, next),
          undone: undone(),
        }),
      undo: () => undoWrite(store, next, undone()),
    });
    if (outcome === 'done') return next;
    tried = next;
  }
  throw new WorkflowBusy(workflowId);
};

/**
 * Changes a workflow by one compare-and-set, and returns when no gateway uses the routes it released any more.
 * @returns the stored workflow
 * @throws WorkflowNotFound, NotYourWorkflow, WebhookPathTaken, errors of `change`; WorkflowBusy if it does not succeed
 * before the deadline of the request
 */
export type ChangeWorkflow = (change: WorkflowChange) => Promise<Workflow>;

/**
 * Creates the function for a store. Concurrent changes of one workflow are serialized within this process, first come
 * first served, because each would otherwise make all others retry.
 */
export const createChangeWorkflow = (stores: ChangeStores, { oneByOne, remainingMs }: SerialChanges): ChangeWorkflow =>
  async function changeWorkflow(change) {
    const end = performance.now() + remainingMs(MAX_CHANGE_MS) - ANSWER_MS;
    const workflow = await oneByOne(change.workflowId, () => changeUntil(end, stores, change));
    // Also after a change that released nothing, or did so before: another request may not have been answered yet.
    if (workflow.routesRelease !== undefined) await untilLeasesEnd();
    return workflow;
  };
