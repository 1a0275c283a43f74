import type { FieldError } from '@weft/service-kit/errors';
import { WebhookPathTaken, WorkflowNotRunnable } from '../errors';
import type { StoreWithHooks } from '../hooks/store-with-hooks';
import { writeRoutes } from '../routes/write-routes';
import type { ScopedWorkflows } from '../scoped-stores';
import { undoWrite } from './change-workflow';
import { withActivation, type Activation, type Workflow } from './workflow';

/** An activation, or the reasons why a new workflow is stored as inactive. */
export type FirstActivation = { readonly activation?: Activation; readonly reasons: readonly FieldError[] };

const NOT_ACTIVATED = 'The workflow was stored, but not activated.';

/**
 * Activates a new workflow if it can run. Exported workflows say `active: true`, and must not be lost for one node that
 * this instance does not have.
 */
export const firstActivation = (activate: () => Activation): FirstActivation => {
  try {
    return { activation: activate(), reasons: [] };
  } catch (error) {
    return { reasons: notActivated(error) };
  }
};

/** The reasons why a stored workflow was not activated. Throws any other error. */
const notActivated = (error: unknown): readonly FieldError[] => {
  if (!(error instanceof WorkflowNotRunnable)) throw error;
  return [{ field: 'active', message: `${NOT_ACTIVATED} ${error.message}` }, ...error.fields];
};

/** The same error, with what a caller who only wants to store the workflow can do. */
export const orInactive = (error: unknown): unknown =>
  error instanceof WebhookPathTaken ? error.with('Nothing was stored; send "active": false to store it.') : error;

/**
 * Stores a new workflow. If a service refuses to call one of its triggers, it is stored as inactive.
 * @returns the stored workflow, with the reasons, if it was to be active and is not
 */
export const insertNew = async (
  workflows: ScopedWorkflows,
  storeWithHooks: StoreWithHooks,
  workflow: Workflow,
): Promise<{ readonly workflow: Workflow; readonly reasons: readonly FieldError[] } | undefined> => {
  const inactive: Workflow = { ...withActivation(workflow, undefined), updatedAt: new Date() };
  try {
    await storeWithHooks({
      next: workflow,
      previous: undefined,
      write: () =>
        writeRoutes(workflows, {
          next: workflow,
          write: () => workflows.insert(workflow),
          undone: { ...inactive, deletedAt: new Date() },
        }),
      undo: () => undoWrite(workflows, workflow, inactive),
    });
    return undefined;
  } catch (error) {
    return { workflow: inactive, reasons: notActivated(error) };
  }
};
