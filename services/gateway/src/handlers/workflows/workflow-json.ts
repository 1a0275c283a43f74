import type { Workflow } from '@weft/proto/workflows';
import { InternalError } from '@weft/service-kit/errors';
import { furtherMembers, quote, timeText } from '../../http/json-text';
import { dataAnswer, type TextAnswer } from '../../middleware/write-answer';

/** A workflow as the REST contract shows it: the fields of the service, then its definition, which is not parsed. */
export const workflowText = ({ id, active, createdAt, updatedAt, definition }: Workflow): string =>
  `{"id":${quote(id)},"active":${active},"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}` +
  `${furtherMembers(definition.toString('utf8'))}}`;

/** The workflow of an answer. @throws InternalError if the service omitted it. */
export const presentWorkflow = (workflow: Workflow | undefined): Workflow => {
  if (workflow === undefined)
    throw new InternalError(new Error('The workflows service answered without the workflow.'));
  return workflow;
};

/** The answer with a whole workflow; its ETag is valid as If-Match of a replacement. */
export const workflowAnswer = (workflow: Workflow | undefined): TextAnswer => {
  const present = presentWorkflow(workflow);
  return dataAnswer(workflowText(present), { status: 200, headers: { etag: `"${present.versionId}"` } });
};
