import type { DefinitionWarning, Workflow } from '@weft/proto/workflows';
import { InternalError } from '@weft/service-kit/errors';
import { revalidated } from '../../http/entity-tags';
import { furtherMembers, quote, timeText } from '../../http/json-text';
import type { TextAnswer } from '../../middleware/write-answer';

/** A workflow as the REST contract shows it: the fields of the service, then its definition, which is not parsed. */
export const workflowText = ({ id, active, createdAt, updatedAt, definition }: Workflow): string =>
  `{"id":${quote(id)},"active":${active},"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}` +
  `${furtherMembers(definition.toString('utf8'))}}`;

/** A workflow without its definition, as an overview shows it. */
export const workflowSummaryText = ({ id, name, active, createdAt, updatedAt }: Workflow): string =>
  `{"id":${quote(id)},"name":${quote(name)},"active":${active},"createdAt":${timeText(createdAt)},` +
  `"updatedAt":${timeText(updatedAt)}}`;

/** The workflow of an answer. @throws InternalError if the service omitted it. */
export const presentWorkflow = (workflow: Workflow | undefined): Workflow => {
  if (workflow === undefined)
    throw new InternalError(new Error('The workflows service answered without the workflow.'));
  return workflow;
};

/** The member `warnings` beside `data`; nothing if there are none. */
const warningsMember = (warnings: readonly DefinitionWarning[]): string =>
  warnings.length === 0
    ? ''
    : `,"warnings":${JSON.stringify(warnings.map(({ field, message }) => ({ field, message })))}`;

/** The answer `{"data": ...}` to a change, with `warnings` beside it if there are any. */
export const changedAnswer = (
  json: string,
  warnings: readonly DefinitionWarning[],
  head: Pick<TextAnswer, 'status' | 'headers'>,
): TextAnswer => ({ ...head, json: `{"data":${json}${warningsMember(warnings)}}` });

/** The answer with a whole workflow and its ETag. */
export const workflowAnswer = (
  workflow: Workflow | undefined,
  warnings: readonly DefinitionWarning[] = [],
): TextAnswer => {
  const present = presentWorkflow(workflow);
  return changedAnswer(workflowText(present), warnings, { status: 200, headers: revalidated(present.etag) });
};
