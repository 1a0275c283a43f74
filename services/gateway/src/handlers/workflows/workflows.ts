import { InvalidRequest } from '@weft/service-kit/errors';
import { quote, timeText } from '../../http/json-text';
import { dataAnswer, DELETED } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { listAnswer } from '../list-answer';
import { checkWorkflowBody } from './workflow-body';
import { presentWorkflow, workflowAnswer, workflowText } from './workflow-json';

/** GET /workflows: all workflows, newest first; with `limit` or `cursor` a page of them. */
export const listWorkflows: ApiHandler = (request, { workflows }) =>
  listAnswer(request, async (page) => {
    const { workflows: found, nextCursor } = await workflows.calls.listWorkflows(page, {
      principal: request.principal,
    });
    return { entries: found.map(workflowText), nextCursor };
  });

/** GET /workflows/:id: the whole workflow, as it was stored. */
export const getWorkflow: ApiHandler = async ({ id, principal }, { workflows }) => {
  const { workflow } = await workflows.calls.getWorkflow({ workflowId: id }, { principal });
  return workflowAnswer(workflow);
};

/**
 * POST /workflows: stores a workflow; with `active: true` it is activated too, or nothing is stored. 201 with its id,
 * name, active and createdAt.
 */
export const createWorkflow: ApiHandler = async ({ body, bodyBytes, principal }, { workflows }) => {
  const { active = false } = checkWorkflowBody(body, ['name', 'nodes']);
  const { workflow } = await workflows.calls.createWorkflow({ definition: bodyBytes, active }, { principal });
  const created = presentWorkflow(workflow);
  return dataAnswer(
    `{"id":${quote(created.id)},"name":${quote(created.name)},"active":${created.active},` +
      `"createdAt":${timeText(created.createdAt)}}`,
    { status: 201, headers: { location: `/api/v1/workflows/${created.id}`, etag: `"${created.versionId}"` } },
  );
};

/** The version in If-Match; empty for any version. @throws InvalidRequest */
const wantedVersion = (ifMatch: string | undefined): string => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return '';
  const version = /^\s*(?:W\/)?"([^"]{1,100})"\s*$/.exec(ifMatch)?.[1];
  if (version === undefined)
    throw new InvalidRequest('If-Match cannot be used.', [
      { field: 'If-Match', message: 'Use the one ETag that GET gave, with its quotes.' },
    ]);
  // A weak tag matches nothing here (RFC 9110, 13.1.1).
  return ifMatch.trim().startsWith('W/') ? `W/${version}` : version;
};

/**
 * PUT /workflows/:id: replaces the definition and answers the whole workflow. `active` is unchanged; id and times in
 * the body are ignored, so that the answer of GET can be sent back. With If-Match only if that version is current,
 * else 412.
 */
export const replaceWorkflow: ApiHandler = async ({ id, body, bodyBytes, headers, principal }, { workflows }) => {
  checkWorkflowBody(body, ['name', 'nodes', 'connections']);
  const ifVersionId = wantedVersion(headers['if-match']);
  const { workflow } = await workflows.calls.replaceWorkflow(
    { workflowId: id, definition: bodyBytes, ifVersionId },
    { principal },
  );
  return workflowAnswer(workflow);
};

/** DELETE /workflows/:id: its webhooks and schedules are removed at once. */
export const deleteWorkflow: ApiHandler = async ({ id, principal }, { workflows }) => {
  await workflows.calls.deleteWorkflow({ workflowId: id }, { principal });
  return DELETED;
};

/** POST /workflows/:id/activate: makes its triggers live; answers the whole workflow. Repeating it changes nothing. */
export const activateWorkflow: ApiHandler = async ({ id, principal }, { workflows }) => {
  const { workflow } = await workflows.calls.activateWorkflow({ workflowId: id }, { principal });
  return workflowAnswer(workflow);
};

/** POST /workflows/:id/deactivate: withdraws its triggers; answers the whole workflow. Repeating it changes nothing. */
export const deactivateWorkflow: ApiHandler = async ({ id, principal }, { workflows }) => {
  const { workflow } = await workflows.calls.deactivateWorkflow({ workflowId: id }, { principal });
  return workflowAnswer(workflow);
};
