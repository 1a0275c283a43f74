import { createActivateWorkflow } from './domain/activate-workflow';
import { createCreateWorkflow } from './domain/create-workflow';
import { createDeactivateWorkflow } from './domain/deactivate-workflow';
import { createDeleteWorkflow } from './domain/delete-workflow';
import { deriveVersions } from './domain/derived-versions';
import { createGetVersions } from './domain/get-versions';
import { createGetWorkflows } from './domain/get-workflows';
import { createListWorkflows } from './domain/list-workflows';
import { createNodeTypes } from './domain/node-types';
import type { VersionStore, WorkflowStore } from './domain/ports';
import { createPrepareStarts } from './domain/prepare-starts';
import { createReplaceWorkflow } from './domain/replace-workflow';
import { createResolveWebhooks } from './domain/resolve-webhooks';
import type { StateStore } from './domain/persistent-state';
import { readVersionFacts } from './domain/version-facts';
import { createViewWorkflows } from './domain/view-workflow';
import { handleActivateWorkflow } from './handlers/activate-workflow';
import { handleCreateWorkflow } from './handlers/create-workflow';
import { handleDeactivateWorkflow } from './handlers/deactivate-workflow';
import { handleDeleteWorkflow } from './handlers/delete-workflow';
import { handleGetNodeType } from './handlers/get-node-type';
import { handleGetVersions } from './handlers/get-versions';
import { handleGetWorkflow } from './handlers/get-workflow';
import { handleListNodeTypes } from './handlers/list-node-types';
import { handleListWorkflows } from './handlers/list-workflows';
import type { Methods } from './handlers/methods';
import { handlePrepareStarts } from './handlers/prepare-starts';
import { handleReplaceWorkflow } from './handlers/replace-workflow';
import { handleResolveWebhooks } from './handlers/resolve-webhooks';

/** What the RPCs work on. */
export interface WiringOptions {
  readonly workflows: WorkflowStore;
  readonly versions: VersionStore;
  readonly state: StateStore;
  readonly defaultTimezone: string;
  /** Bytes of definitions kept in memory. */
  readonly cacheBytes: number;
}

/** Joins stores, domain and handlers: one line for each RPC. */
export const wireHandlers = ({ workflows, versions, state, defaultTimezone, cacheBytes }: WiringOptions): Methods => {
  const facts = deriveVersions({
    store: versions,
    derive: readVersionFacts,
    costOf: ({ cost }) => cost,
    maxCost: cacheBytes / 4,
  });
  const view = createViewWorkflows(
    deriveVersions({
      store: versions,
      derive: ({ definition }) => Buffer.from(definition),
      costOf: ({ length }) => length,
      maxCost: cacheBytes,
    }),
  );
  const nodeTypes = createNodeTypes();
  return {
    listWorkflows: handleListWorkflows(createListWorkflows(workflows, view)),
    getWorkflow: handleGetWorkflow(createGetWorkflows(workflows, view)),
    createWorkflow: handleCreateWorkflow(createCreateWorkflow({ workflows, versions, defaultTimezone })),
    replaceWorkflow: handleReplaceWorkflow(createReplaceWorkflow({ workflows, versions, defaultTimezone })),
    deleteWorkflow: handleDeleteWorkflow(createDeleteWorkflow(workflows, versions, state)),
    activateWorkflow: handleActivateWorkflow(createActivateWorkflow({ workflows, versions, view, defaultTimezone })),
    deactivateWorkflow: handleDeactivateWorkflow(createDeactivateWorkflow(workflows, view)),
    resolveWebhooks: handleResolveWebhooks(createResolveWebhooks(workflows, facts)),
    prepareStarts: handlePrepareStarts(createPrepareStarts({ workflows, versions, facts })),
    getVersions: handleGetVersions(createGetVersions(versions)),
    listNodeTypes: handleListNodeTypes(nodeTypes),
    getNodeType: handleGetNodeType(nodeTypes),
  };
};
