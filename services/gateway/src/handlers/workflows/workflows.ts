import { knownTags, revalidated, wantedTags } from '../../http/entity-tags';
import { creationKey } from '../../http/idempotency-key';
import { prefersMinimal } from '../../http/prefer';
import { quote, timeText } from '../../http/json-text';
import { DELETED, NOT_MODIFIED } from '../../middleware/responses/write-answer';
import type { ApiHandler } from '../api-handler';
import { listAnswer } from '../list-answer';
import { OF_PROJECT, readOwner } from '../owned';
import { ParkedCalls } from '@weft/proto/workflows';
import {
  choiceParameter,
  flagParameter,
  idsParameter,
  optionalFlag,
  optionalText,
  OPTIONAL_PAGE,
  type Query,
  type QueryParameter,
} from '../../http/read-query';
import { MANAGEMENT_FILTERS, readManagement, readManagementFilters } from './management';
import { checkWorkflowBody, definitionIn, readNewWorkflow } from './workflow-body';
import {
  changedAnswer,
  minimalWorkflowAnswer,
  presentWorkflow,
  workflowAnswer,
  workflowSummaryText,
  workflowText,
} from './workflow-json';

/** Parameter that omits definitions from the list. */
const SUMMARY = flagParameter('summary', 'Leaves the definitions out.');

const SEARCH = optionalText('search', 'Only workflows with this text in their name, in upper or lower case.', {
  maxLength: 200,
});
const IDS = idsParameter('ids', 'Only the workflows with these ids, separated by commas; at most 100.');
const ACTIVE = optionalFlag('active', 'Only active workflows, or only inactive ones.');

/** Query parameters of the list. */
export const LIST_QUERY: readonly QueryParameter<unknown>[] = [
  ...OPTIONAL_PAGE,
  OF_PROJECT,
  SUMMARY,
  SEARCH,
  ACTIVE,
  IDS,
  ...MANAGEMENT_FILTERS,
];

const readFilters = (query: Query) => {
  const [search, active, ids] = [SEARCH.read(query), ACTIVE.read(query), IDS.read(query)];
  return {
    ...readOwner(query),
    ...(search === undefined ? {} : { search }),
    ...(active === undefined ? {} : { active }),
    ...(ids === undefined ? {} : { ids: { values: [...ids] } }),
    ...readManagementFilters(query),
  };
};

/**
 * GET /workflows: all workflows, newest first; with `limit` or `cursor` one page. Additions: `summary=true` omits their
 * definitions, and filters select workflows by id, owner, name, activity, key, manager and set.
 */
export const listWorkflows: ApiHandler = (request, { workflows }) => {
  const summary = SUMMARY.read(request.query);
  const filters = readFilters(request.query);
  const toText = summary ? workflowSummaryText : workflowText;
  return listAnswer(request, async (page) => {
    const { workflows: found, nextCursor } = await workflows.calls.listWorkflows(
      { ...page, ...filters, summary },
      { principal: request.principal },
    );
    return { entries: found.map(toText), nextCursor };
  });
};

/** GET /workflows/:id: the complete workflow as stored; 304 if If-None-Match has its current ETag. */
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
 * POST /workflows: stores a workflow; with `active: true` it is also activated if it can run. With `projectId`,
 * an addition, it belongs to that project. The query, an addition, may set its key and its manager. 201 with its id,
 * name, active and createdAt.
 */
export const createWorkflow: ApiHandler = async ({ body, bodyBytes, query, headers, principal }, { workflows }) => {
  const { active = false, projectId } = readNewWorkflow(body);
  const { workflow, warnings } = await workflows.calls.createWorkflow(
    {
      definition: definitionIn(bodyBytes),
      active,
      projectId,
      ...readManagement(query),
      summary: true,
      ...creationKey(headers),
    },
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
 * PUT /workflows/:id: replaces the definition and returns the complete workflow. `active` stays unchanged; id and times
 * in the body are ignored, so that a response of GET can be sent back. With If-Match: 412 unless it has the current
 * ETag.
 */
export const replaceWorkflow: ApiHandler = async (request, { workflows }) => {
  const { id, body, bodyBytes, headers, query, principal } = request;
  checkWorkflowBody(body);
  const summary = prefersMinimal(headers);
  const { workflow, warnings } = await workflows.calls.replaceWorkflow(
    {
      workflowId: id,
      summary,
      definition: definitionIn(bodyBytes),
      ifVersionId: '',
      ifEtags: [...wantedTags(headers)],
      ...readManagement(query),
    },
    { principal },
  );
  return summary ? minimalWorkflowAnswer(workflow) : workflowAnswer(workflow, warnings);
};

/** DELETE /workflows/:id: also removes its webhooks and schedules. If-Match as for PUT. */
export const deleteWorkflow: ApiHandler = async ({ id, principal, headers }, { workflows }) => {
  await workflows.calls.deleteWorkflow({ workflowId: id, ifEtags: [...wantedTags(headers)] }, { principal });
  return DELETED;
};

const PARKED_CHOICES: ReadonlyMap<string, ParkedCalls> = new Map([
  ['run', ParkedCalls.PARKED_CALLS_RUN],
  ['drop', ParkedCalls.PARKED_CALLS_DROP],
]);

/** Parameter that runs or drops the calls that were parked when the workflow was deactivated. */
export const PARKED = choiceParameter(
  'parked',
  PARKED_CHOICES,
  'Starts the parked calls of the workflow, or deletes them. Default: they stay parked.',
);

/**
 * POST /workflows/:id/activate: makes its triggers live, and returns the complete workflow. Repeating it changes
 * nothing. With `parked`, an addition, the calls that a deactivation has parked run or are dropped.
 */
export const activateWorkflow: ApiHandler = async ({ id, principal, headers, query }, { workflows }) => {
  const parkedCalls = PARKED.read(query) ?? ParkedCalls.PARKED_CALLS_UNSPECIFIED;
  const summary = prefersMinimal(headers);
  const { workflow, warnings } = await workflows.calls.activateWorkflow(
    { workflowId: id, summary, ifEtags: [...wantedTags(headers)], parkedCalls },
    { principal },
  );
  return summary ? minimalWorkflowAnswer(workflow) : workflowAnswer(workflow, warnings);
};

/**
 * POST /workflows/:id/deactivate: removes its triggers, and returns the complete workflow. Repeating it changes
 * nothing.
 */
export const deactivateWorkflow: ApiHandler = async ({ id, principal, headers }, { workflows }) => {
  const summary = prefersMinimal(headers);
  const { workflow } = await workflows.calls.deactivateWorkflow(
    { workflowId: id, summary, ifEtags: [...wantedTags(headers)] },
    { principal },
  );
  return summary ? minimalWorkflowAnswer(workflow) : workflowAnswer(workflow);
};
