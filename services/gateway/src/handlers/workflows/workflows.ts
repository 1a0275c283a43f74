import { knownTags, revalidated, wantedTags } from '../../http/entity-tags';
import { quote, timeText } from '../../http/json-text';
import { DELETED, NOT_MODIFIED } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { listAnswer } from '../list-answer';
import { readOwner } from '../owned';
import { flagParameter } from '../../http/read-query';
import { checkWorkflowBody, readNewWorkflow } from './workflow-body';
import { changedAnswer, presentWorkflow, workflowAnswer, workflowSummaryText, workflowText } from './workflow-json';

/** The parameter that leaves definitions out of the list. */
export const SUMMARY = flagParameter('summary', 'Leaves the definitions out.');

/**
 * GET /workflows: all workflows, newest first; with `limit` or `cursor` a page of them. With `summary=true`, an
 * addition, without their definitions; with `projectId`, another, only those of a project or user.
 */
export const listWorkflows: ApiHandler = (request, { workflows }) => {
  const summary = SUMMARY.read(request.query);
  const owner = readOwner(request.query);
  const toText = summary ? workflowSummaryText : workflowText;
  return listAnswer(request, async (page) => {
    const { workflows: found, nextCursor } = await workflows.calls.listWorkflows(
      { ...page, ...owner, summary },
      { principal: request.principal },
    );
    return { entries: found.map(toText), nextCursor };
  });
};

/** GET /workflows/:id: the whole workflow, as it was stored; 304 if If-None-Match names the state that it has. */
export const getWorkflow: ApiHandler = async ({ id, principal, headers }, { workflows }) => {
  const { isAny, tags } = knownTags(headers);
  const { workflow, notModified } = await workflows.calls.getWorkflow(
    { workflowId: id, knownEtags: [...tags] },
    { principal },
  );
  return isAny || notModified
    ? { ...NOT_MODIFIED, headers: revalidated(presentWorkflow(workflow).etag) }
    : workflowAnswer(workflow);
};

/**
 * POST /workflows: stores a workflow; with `active: true` it is activated too, or nothing is stored. With `projectId`,
 * an addition, it belongs to that project. 201 with its id, name, active and createdAt.
 */
export const createWorkflow: ApiHandler = async ({ body, bodyBytes, principal }, { workflows }) => {
  const { active = false, projectId } = readNewWorkflow(body);
  const { workflow, warnings } = await workflows.calls.createWorkflow(
    { definition: bodyBytes, active, projectId },
    { principal },
  );
  const created = presentWorkflow(workflow);
  return changedAnswer(
    `{"id":${quote(created.id)},"name":${quote(created.name)},"active":${created.active},` +
      `"createdAt":${timeText(created.createdAt)}}`,
    warnings,
    { status: 201, headers: { location: `/api/v1/workflows/${created.id}`, etag: `"${created.etag}"` } },
  );
};

/**
 * PUT /workflows/:id: replaces the definition and answers the whole workflow. `active` is unchanged; id and times in
 * the body are ignored, so that the answer of GET can be sent back. With If-Match only if it names the current state,
 * else 412.
 */
export const replaceWorkflow: ApiHandler = async ({ id, body, bodyBytes, headers, principal }, { workflows }) => {
  checkWorkflowBody(body);
  const { workflow, warnings } = await workflows.calls.replaceWorkflow(
    { workflowId: id, definition: bodyBytes, ifVersionId: '', ifEtags: [...wantedTags(headers)] },
    { principal },
  );
  return workflowAnswer(workflow, warnings);
};

/** DELETE /workflows/:id: its webhooks and schedules are removed at once. If-Match as for PUT. */
export const deleteWorkflow: ApiHandler = async ({ id, principal, headers }, { workflows }) => {
  await workflows.calls.deleteWorkflow({ workflowId: id, ifEtags: [...wantedTags(headers)] }, { principal });
  return DELETED;
};

/** POST /workflows/:id/activate: makes its triggers live; answers the whole workflow. Repeating it changes nothing. */
export const activateWorkflow: ApiHandler = async ({ id, principal, headers }, { workflows }) => {
  const { workflow, warnings } = await workflows.calls.activateWorkflow(
    { workflowId: id, ifEtags: [...wantedTags(headers)] },
    { principal },
  );
  return workflowAnswer(workflow, warnings);
};

/** POST /workflows/:id/deactivate: withdraws its triggers; answers the whole workflow. Repeating it changes nothing. */
export const deactivateWorkflow: ApiHandler = async ({ id, principal, headers }, { workflows }) => {
  const { workflow } = await workflows.calls.deactivateWorkflow(
    { workflowId: id, ifEtags: [...wantedTags(headers)] },
    { principal },
  );
  return workflowAnswer(workflow);
};
