import type { ApiHandler } from '../api-handler';
import { listAnswer } from '../list-answer';
import { workflowText } from './workflow-json';

/** GET /workflows: all workflows, newest first; with `limit` or `cursor` a page of them. */
export const listWorkflows: ApiHandler = (request, { workflows }) =>
  listAnswer(request, async (page) => {
    const { workflows: found, nextCursor } = await workflows.calls.listWorkflows(page, {
      principal: request.principal,
    });
    return { entries: found.map(workflowText), nextCursor };
  });
