import { Unavailable } from '@weft/service-kit/errors';
import { WebhookPathTaken } from './errors';
import type { WorkflowStore, WriteOutcome } from './ports';
import type { Activation } from './workflow';

const TRIES = 4;

/**
 * Repeats a write until it is done or stale. A refused route is looked up to name its holder; if the holder let go of
 * it in between, the write is tried again.
 * @throws WebhookPathTaken; Unavailable if the route changes hands faster than it can be looked up.
 */
export const writeRoutes = async <Outcome extends WriteOutcome>(
  store: Pick<WorkflowStore, 'findListeners'>,
  workflowId: string,
  activation: Activation | undefined,
  write: () => Promise<Outcome>,
): Promise<Exclude<Outcome, 'route-taken'>> => {
  const routes = activation?.routes ?? [];
  const isSettled = (outcome: Outcome): outcome is Exclude<Outcome, 'route-taken'> => outcome !== 'route-taken';
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const outcome = await write();
    if (isSettled(outcome)) return outcome;
    for (const holder of await store.findListeners(routes.map((route) => route.key))) {
      const taken = routes.find((route) => holder.routes.some((held) => held.key === route.key));
      if (taken !== undefined && holder.workflowId !== workflowId) throw new WebhookPathTaken(taken, holder.workflowId);
    }
  }
  throw new Unavailable('A webhook address of this workflow changes hands right now. Try again.');
};
