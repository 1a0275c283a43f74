import { InvalidRequest } from '@weft/service-kit/errors';
import type { ApiHandler } from '../api-handler';
import { checkWorkflowBody } from './workflow-body';
import { workflowAnswer } from './workflow-json';

/** The version that If-Match names; empty if any will do. @throws InvalidRequest */
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
 * PUT /workflows/:id: replaces the definition and answers the whole workflow. `active` stays as it is; id and times in
 * the body are passed over, so that what GET gives can be sent back. With If-Match only if that version is current:
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
