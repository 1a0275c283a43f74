import { holdClaim } from '../state/hold-claim';
import type { CheckClaim, Claim } from '../state/state';
import type { VariableStore } from './variable';

/** Variables of an instance: so many fit into one message, and into the sandbox of Code nodes. */
export const MAX_VARIABLES = 500;

/** All variables, values by key, for the run of a claim. @throws ClaimLost, Unavailable */
export type ReadVariables = (claim: Claim) => Promise<Readonly<Record<string, string>>>;

/** Reads them from the store each time, so that every run sees the present values. */
export const createReadVariables =
  (store: Pick<VariableStore, 'page'>, checkClaim: CheckClaim): ReadVariables =>
  async (claim) => {
    await holdClaim(checkClaim, claim);
    return Object.fromEntries((await store.page(undefined, MAX_VARIABLES)).map(({ key, value }) => [key, value]));
  };
