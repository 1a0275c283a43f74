import { Unavailable } from '@weft/service-kit/errors';
import { WebhookPathTaken, WorkflowKeyTaken } from '../errors';
import type { WorkflowStore, WriteOutcome } from '../ports';
import type { Activation, RouteEntry, Workflow } from '../workflows/workflow';
import { withRelease } from './route-releases';
import { overlapIn } from './taken-routes';

/** Attempts at a write whose route keeps being taken and released. */
const MAX_ROUTE_ATTEMPTS = 4;

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
 * Writes a workflow unless one of its webhook paths conflicts with a route of another active workflow. The unique index
 * on routes decides between concurrent writes.
 *
 * Repeats the write until it is done or stale. If a route or the key is taken, its holder is looked up for the error;
 * if the holder has released it meanwhile, the write is repeated. Overlaps with routes of other owners are looked up
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
