import { mayChange, type Principal } from '@weft/service-kit/auth';
import { Unavailable } from '@weft/service-kit/errors';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotYourWorkflow, WebhookPathTaken, WorkflowBusy, WorkflowKeyTaken, WorkflowNotFound } from '../errors';
import type { WorkflowStore, WriteOutcome } from '../ports';
import { untilLeasesEnd, withRelease } from '../routes/route-releases';
import type { ScopedWorkflows } from '../scoped-stores';
import { overlapIn } from '../routes/taken-routes';
import type { Activation, RouteEntry, Workflow } from './workflow';

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
export interface ChangeTurns {
  /** Does the work after earlier work with the same key, or after a maximum wait; correctness does not depend on it. */
  readonly takeTurn: <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
  /** Milliseconds left for the current request, at most the limit. */
  readonly remainingMs: (limitMs: number) => number;
}

/** Attempts at a write whose route keeps being taken and released. */
const MAX_ROUTE_ATTEMPTS = 4;

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

/** A write of a workflow with its routes. */
export interface RouteWrite<Outcome extends WriteOutcome> {
  /** The workflow to be stored. */
  readonly next: Workflow;
  /** The activation that it replaces: routes that it already has are not checked again. */
  readonly previous?: Activation | undefined;
  readonly write: () => Promise<Outcome>;
  /** The workflow to store instead if the write must be taken back. */
  readonly undone: Workflow;
}

/**
 * Refuses routes that take requests from another owner's workflow, or that lose some to it.
 * @throws WebhookPathTaken
 */
const checkOverlap = async (
  store: Pick<WorkflowStore, 'findOverlap'>,
  routes: readonly RouteEntry[],
  ownerId: string,
): Promise<void> => {
  const holder = await store.findOverlap(
    routes.map(({ key }) => key),
    ownerId,
  );
  if (holder === undefined) return;
  for (const route of routes) {
    const held = overlapIn(holder, route);
    if (held !== undefined) throw new WebhookPathTaken(route, holder.workflowId, held.path);
  }
};

/**
 * Repeats a write until it is done or stale. If a route or the key is taken, its holder is looked up for the error; if
 * the holder has released it meanwhile, the write is repeated. Overlaps with routes of other owners are looked up
 * before the write and, because others may write at the same moment, after it: at least one of two such writes finds
 * the other. A write that is taken back releases its routes, which a gateway may have resolved meanwhile.
 * @throws WebhookPathTaken, WorkflowKeyTaken; Unavailable if it changes hands faster than it can be looked up
 */
export const writeRoutes = async <Outcome extends WriteOutcome>(
  store: Pick<WorkflowStore, 'findListeners' | 'findKeyHolder' | 'findOverlap' | 'update'>,
  { next, previous, write, undone }: RouteWrite<Outcome>,
): Promise<Exclude<Outcome, 'taken'>> => {
  const routes = next.activation?.routes ?? [];
  const added = routes.filter(({ key }) => previous?.routes.some((held) => held.key === key) !== true);
  const isAccepted = (outcome: Outcome): outcome is Exclude<Outcome, 'taken'> => outcome !== 'taken';
  await checkOverlap(store, added, next.ownerId);
  for (let attempt = 1; attempt <= MAX_ROUTE_ATTEMPTS; attempt += 1) {
    const outcome = await write();
    if (isAccepted(outcome)) {
      if (outcome === 'done')
        await checkOverlap(store, added, next.ownerId).catch(async (error: unknown) => {
          await store.update(next, withRelease(next, undone));
          throw error;
        });
      return outcome;
    }
    const keyHolder = next.key === undefined ? undefined : await store.findKeyHolder(next.key);
    if (keyHolder !== undefined && keyHolder.id !== next.id) throw new WorkflowKeyTaken(next.key ?? '', keyHolder.id);
    for (const holder of await store.findListeners(routes.map((route) => route.key))) {
      const taken = routes.find((route) => holder.routes.some((held) => held.key === route.key));
      if (taken !== undefined && holder.workflowId !== next.id) throw new WebhookPathTaken(taken, holder.workflowId);
    }
  }
  throw new Unavailable('A webhook address or the key of this workflow is changing hands. Try again.');
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

/** Retries the change until it is stored without a conflict, or until `end` (monotonic milliseconds). */
const changeUntil = async (
  end: number,
  store: ScopedWorkflows,
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
    const outcome = await writeRoutes(store, {
      next,
      previous: seen.activation,
      write: () => store.update(seen, next),
      undone: { ...seen, updatedAt: new Date() },
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
export const createChangeWorkflow = (store: ScopedWorkflows, { takeTurn, remainingMs }: ChangeTurns): ChangeWorkflow =>
  async function changeWorkflow(change) {
    const end = performance.now() + remainingMs(MAX_CHANGE_MS) - ANSWER_MS;
    const workflow = await takeTurn(change.workflowId, () => changeUntil(end, store, change));
    // Also after a change that released nothing, or did so before: another request may not have been answered yet.
    if (workflow.routesRelease !== undefined) await untilLeasesEnd();
    return workflow;
  };
