import type { DefinitionWarning, TriggerSummary, Workflow } from '@weft/proto/workflows';
import { InternalError } from '@weft/service-kit/errors';
import { revalidated } from '../../http/entity-tags';
import { furtherMembers, quote, timeText } from '../../http/json-text';
import { minimalAnswer, type TextAnswer } from '../../middleware/responses/write-answer';
import { MANAGEMENT_FIELDS, managementText } from './management';
import { CONNECTIONS, NODES, WORKFLOW_NODE, WORKFLOW_SETTINGS } from '../../openapi/definition-schemas';
import {
  ANY_OBJECT,
  BOOLEAN,
  component,
  COUNT,
  described,
  exemplified,
  type Fields,
  ID,
  listOf,
  orNull,
  record,
  type Schema,
  TEXT,
  TIME,
} from '../../openapi/schema';

/** Schema of `workflowText`. All other fields of the definition are returned unchanged. */
export const WORKFLOW: Schema = component('Workflow', {
  ...record(
    {
      id: ID,
      active: BOOLEAN,
      createdAt: TIME,
      updatedAt: TIME,
      name: TEXT,
      nodes: exemplified(NODES, listOf(WORKFLOW_NODE)),
    },
    {
      connections: CONNECTIONS,
      settings: orNull(WORKFLOW_SETTINGS),
      pinData: exemplified(
        {},
        described('Items by node, which replace its output in manual runs.', orNull(ANY_OBJECT)),
      ),
    },
  ),
  additionalProperties: true,
});

const HASH: Schema = described(
  'Identifies the content of the definition, without the ids of nodes. Absent: stored by an earlier release.',
  TEXT,
);

const TRIGGER_SUMMARY = component(
  'TriggerSummary',
  record(
    { node: described('Name of the node.', TEXT), kind: TEXT },
    {
      path: described('Path below `/webhook/`, `/form/` or `/mcp/`. Absent: it has none, or an invalid one.', TEXT),
      methods: described('Of a webhook, separated by commas.', TEXT),
    },
  ),
);

/** Schema of `workflowSummaryText`. */
export const WORKFLOW_SUMMARY = component(
  'WorkflowSummary',
  record(
    {
      id: ID,
      name: TEXT,
      active: BOOLEAN,
      createdAt: TIME,
      updatedAt: TIME,
      versionId: ID,
      etag: TEXT,
      ownerId: described('The user or project that owns it.', ID),
    },
    {
      nodeCount: described('Number of nodes. Absent: stored by an earlier release.', COUNT),
      triggers: described('The enabled triggers, at most 20. Absent with `nodeCount`.', listOf(TRIGGER_SUMMARY)),
      hash: HASH,
      ...MANAGEMENT_FIELDS,
    },
  ),
);

/** `data` of the response to a creation. */
export const CREATED_WORKFLOW = component(
  'CreatedWorkflow',
  record({ id: ID, name: TEXT, active: BOOLEAN, createdAt: TIME }),
);

/** A field of a definition, and what is wrong with it. */
export const WARNING = component('Warning', record({ field: TEXT, message: TEXT }));

/** Members of `changedAnswer` in addition to `data`. */
export const WARNINGS: Fields = {
  warnings: described(
    'Parts without effect, missing credentials, and the reason why a new workflow was not activated.',
    {
      ...listOf(WARNING),
      maxItems: 50,
    },
  ),
};

/** A workflow as shown by the REST API: the fields of the service, then its unparsed definition. */
export const workflowText = ({ id, active, createdAt, updatedAt, definition }: Workflow): string =>
  `{"id":${quote(id)},"active":${active},"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}` +
  `${furtherMembers(definition.toString('utf8'))}}`;

const triggerText = ({ node, kind, path, methods }: TriggerSummary): string =>
  `{"node":${quote(node)},"kind":${quote(kind)}` +
  `${path === undefined ? '' : `,"path":${quote(path)}`}` +
  `${methods === undefined ? '' : `,"methods":${quote(methods)}`}}`;

/** Number of nodes and triggers; empty if an earlier release stored the workflow. */
const outlineText = ({ outline }: Pick<Workflow, 'outline'>): string =>
  outline === undefined
    ? ''
    : `,"nodeCount":${outline.nodeCount},"triggers":[${outline.triggers.map(triggerText).join(',')}]`;

/** A workflow without its definition, as shown in an overview. */
export const workflowSummaryText = ({ id, name, active, createdAt, updatedAt, ...rest }: Workflow): string =>
  `{"id":${quote(id)},"name":${quote(name)},"active":${active},"createdAt":${timeText(createdAt)},` +
  `"updatedAt":${timeText(updatedAt)},"versionId":${quote(rest.versionId)},"etag":${quote(`"${rest.etag}"`)},` +
  `"ownerId":${quote(rest.ownerId)}${outlineText(rest)}` +
  `${rest.definitionHash === undefined ? '' : `,"hash":${quote(rest.definitionHash)}`}` +
  `${managementText(rest.key, rest.managed)}}`;

/** The workflow in a response. @throws InternalError if the service omitted it */
export const presentWorkflow = (workflow: Workflow | undefined): Workflow => {
  if (workflow === undefined)
    throw new InternalError(new Error('The workflows service answered without the workflow.'));
  return workflow;
};

/** The member `warnings` next to `data`; empty if there are none. */
const warningsMember = (warnings: readonly DefinitionWarning[]): string =>
  warnings.length === 0
    ? ''
    : `,"warnings":${JSON.stringify(warnings.map(({ field, message }) => ({ field, message })))}`;

/** The response `{"data": ...}` to a change, with `warnings` if there are any. */
export const changedAnswer = (
  json: string,
  warnings: readonly DefinitionWarning[],
  head: Pick<TextAnswer, 'status' | 'headers'>,
): TextAnswer => ({ ...head, json: `{"data":${json}${warningsMember(warnings)}}` });

/** The response to a client that only needs the ETag of the workflow. */
export const minimalWorkflowAnswer = (workflow: Workflow | undefined): TextAnswer =>
  minimalAnswer(revalidated(presentWorkflow(workflow).etag));

/** The response with a complete workflow and its ETag. */
export const workflowAnswer = (
  workflow: Workflow | undefined,
  warnings: readonly DefinitionWarning[] = [],
): TextAnswer => {
  const present = presentWorkflow(workflow);
  return changedAnswer(workflowText(present), warnings, { status: 200, headers: revalidated(present.etag) });
};
