import { checkName } from './check-name';
import { requireClaim, type CheckClaim, type Claim } from '../claims';
import type { StateEntry, StateStore } from './state';

/**
 * Reads an entry of the workflow whose execution is claimed; undefined if it was never written.
 * @throws ClaimLost, InvalidRequest
 */
export type GetState = (claim: Claim, name: string) => Promise<StateEntry | undefined>;

/** Reads from the store, for those whose claim holds. */
export const createGetState =
  (store: Pick<StateStore, 'find'>, checkClaim: CheckClaim): GetState =>
  async (claim, name) => {
    checkName(name);
    const { workflowId } = await requireClaim(checkClaim, claim);
    return store.find(workflowId, name);
  };
