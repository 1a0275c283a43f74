import { quote, timeText } from '../../http/json-text';
import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { checkWorkflowBody } from './workflow-body';
import { presentWorkflow } from './workflow-json';

/**
 * POST /workflows: stores a workflow; with `active: true` it is activated too, or nothing is stored. 201 with its id,
 * name, active and createdAt.
 */
export const createWorkflow: ApiHandler = async ({ body, bodyBytes, principal }, { workflows }) => {
  const { active = false } = checkWorkflowBody(body, ['name', 'nodes']);
  const { workflow } = await workflows.calls.createWorkflow({ definition: bodyBytes, active }, { principal });
  const created = presentWorkflow(workflow);
  return dataAnswer(
    `{"id":${quote(created.id)},"name":${quote(created.name)},"active":${created.active},"createdAt":${timeText(created.createdAt)}}`,
    { status: 201, headers: { location: `/api/v1/workflows/${created.id}`, etag: `"${created.versionId}"` } },
  );
};
