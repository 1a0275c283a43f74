import type { DefinitionWarning, Workflow } from '@weft/proto/workflows';
import { InternalError } from '@weft/service-kit/errors';
import { revalidated } from '../../http/entity-tags';
import { furtherMembers, quote, timeText } from '../../http/json-text';
import type { TextAnswer } from '../../middleware/write-answer';
import {
  ANY_OBJECT,
  BOOLEAN,
  component,
  described,
  type Fields,
  ID,
  listOf,
  orNull,
  record,
  type Schema,
  TEXT,
  TIME,
} from '../../openapi/schema';

const WORKFLOW_NODE = component('WorkflowNode', {
  ...record({ name: TEXT, type: TEXT }, { id: TEXT, parameters: ANY_OBJECT }),
  additionalProperties: true,
});

/** What `workflowText` writes: whatever else the definition has is returned as it came. */
export const WORKFLOW: Schema = component('Workflow', {
  ...record(
    { id: ID, active: BOOLEAN, createdAt: TIME, updatedAt: TIME, name: TEXT, nodes: listOf(WORKFLOW_NODE) },
    { connections: ANY_OBJECT, settings: orNull(ANY_OBJECT) },
  ),
  additionalProperties: true,
});

/** What `workflowSummaryText` writes. */
export const WORKFLOW_SUMMARY = component(
  'WorkflowSummary',
  record({ id: ID, name: TEXT, active: BOOLEAN, createdAt: TIME, updatedAt: TIME }),
);

/** What the answer to a creation has in `data`. */
export const NEW_WORKFLOW = component('NewWorkflow', record({ id: ID, name: TEXT, active: BOOLEAN, createdAt: TIME }));

/** What `changedAnswer` writes beside `data`. */
export const WARNINGS: Fields = {
  warnings: described('Links that are never followed.', {
    ...listOf(component('Warning', record({ field: TEXT, message: TEXT }))),
    maxItems: 50,
  }),
};

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
