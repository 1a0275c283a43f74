import type { StoreQuery } from './queries';
import type { StateDocument } from './state-schema';

const OF_WORKFLOW = 'workflow';

/** The indexes of `state` besides `_id`, made at every start. */
export const STATE_INDEXES = [{ name: OF_WORKFLOW, key: { workflowId: 1 } }] as const;

/** The key of an entry. Ids of workflows have no colon. */
export const stateKey = (workflowId: string, name: string): string => `${workflowId}:${name}`;

/** Every query on `state`. */
export const stateQueries = {
  one: (workflowId: string, name: string): StoreQuery<StateDocument> => ({
    filter: { _id: stateKey(workflowId, name) },
    options: {},
    index: '_id_',
  }),
  atVersion: (workflowId: string, name: string, version: number): StoreQuery<StateDocument> => ({
    filter: { _id: stateKey(workflowId, name), version },
    options: {},
    index: '_id_',
  }),
  ofWorkflow: (workflowId: string): StoreQuery<StateDocument> => ({
    filter: { workflowId },
    options: { hint: OF_WORKFLOW },
    index: OF_WORKFLOW,
  }),
};
