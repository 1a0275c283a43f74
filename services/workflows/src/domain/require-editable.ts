import { mayChange, type Principal } from '@weft/service-kit/auth';
import { NotYourWorkflow, WorkflowNotFound } from './errors';
import type { Workflow } from './workflow';

/** A workflow that exists and that the user may change. @throws WorkflowNotFound, NotYourWorkflow */
export const requireEditable = (workflow: Workflow | undefined, id: string, user: Principal): Workflow => {
  if (workflow === undefined) throw new WorkflowNotFound(id);
  if (!mayChange(user, workflow.ownerId)) throw new NotYourWorkflow(id);
  return workflow;
};
