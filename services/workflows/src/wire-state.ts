import type { WorkflowStore } from './domain/ports';
import { createGetState } from './domain/state/get-state';
import { createPutState } from './domain/state/put-state';
import type { CheckClaim } from './domain/claims';
import type { StateStore } from './domain/state/state';
import { handleGetState } from './handlers/get-state';
import { handlePutState } from './handlers/put-state';
import type { StateMethods } from './handlers/state-methods';

/** What StateService works on. */
export interface StateWiring {
  readonly store: StateStore;
  readonly workflows: WorkflowStore;
  readonly checkClaim: CheckClaim;
}

/** Joins store, domain and handlers of StateService. */
export const wireState = ({ store, workflows, checkClaim }: StateWiring): StateMethods => ({
  getState: handleGetState(createGetState(store, checkClaim)),
  putState: handlePutState(createPutState({ store, workflows, checkClaim })),
});
