import type {
  GetWorkflowResponse,
  ListWorkflowsResponse,
  McpTool as McpToolMessage,
  Workflow as WorkflowMessage,
} from '@weft/proto/workflows';
import { Forbidden, InternalError, InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { checkProjectFilter, readPage, type OwnedPageParams } from '@weft/service-kit/paging';
import type { DerivedVersions } from '../versions/derived-versions';
import { WorkflowNotFound } from '../errors';
import { etagOf } from './etag';
import { keyErrors } from './management';
import type { WorkflowFilter } from '../ports';
import type { ScopedWorkflows } from '../scoped-stores';
import type { McpTool, WorkflowSummary } from './workflow';

/** Joins workflows with their current definitions, in order. */
export type ViewWorkflows = (workflows: readonly WorkflowSummary[]) => Promise<WorkflowMessage[]>;

/** A requested page; `summary`: without the definitions. */
export interface ListPage extends OwnedPageParams, WorkflowFilter {
  readonly summary: boolean;
}

/** A requested workflow. */
export interface AskedWorkflow {
  readonly workflowId: string;
  /** Etags that the caller already has: if the current one is among them, the response omits the definition. */
  readonly knownEtags: readonly string[];
}

/** Use cases that read workflows. */
export interface WorkflowReads {
  /**
   * Pages through workflows, newest first; pages remain consistent while workflows change. A page may be shorter than
   * requested, to fit into one message or because few workflows match: only an empty cursor marks the end.
   * @throws InvalidRequest for a limit above 100, an invalid filter or an unknown cursor
   */
  readonly listWorkflows: (page: ListPage) => Promise<ListWorkflowsResponse>;
  /**
   * Reads workflows with one query: one entry each, in order; WorkflowNotFound for missing ones, Forbidden for hidden
   * ones.
   */
  readonly getWorkflows: (
    asked: readonly AskedWorkflow[],
  ) => Promise<(GetWorkflowResponse | WorkflowNotFound | Forbidden)[]>;
}

/**
 * Maximum bytes of definitions in one page. With the other fields it stays below 4 MiB, the default limit of clients. A
 * page has at least one workflow, and may exceed the limit for that reason.
 */
const MAX_PAGE_BYTES = 3 * 1024 * 1024;

const NO_DEFINITION = Buffer.alloc(0);

const toToolMessage = ({ node, trigger, description, inputSchema }: McpTool): McpToolMessage => ({
  node,
  trigger,
  description,
  inputSchemaJson: inputSchema,
});

/** Converts a workflow and its current definition. */
export const toWorkflowMessage = (workflow: WorkflowSummary, definition: Buffer): WorkflowMessage => {
  const { id, name, active, createdAt, updatedAt, versionId, ownerId, key, managed, definitionHash, mcpTool, outline } =
    workflow;
  return {
    id,
    name,
    active,
    createdAt,
    updatedAt,
    definition,
    versionId,
    ownerId,
    etag: etagOf(workflow),
    ...(key === undefined ? {} : { key }),
    ...(managed === undefined ? {} : { managed }),
    ...(definitionHash === undefined ? {} : { definitionHash }),
    ...(mcpTool === undefined ? {} : { mcpTool: toToolMessage(mcpTool) }),
    ...(outline === undefined ? {} : { outline: { ...outline, triggers: [...outline.triggers] } }),
  };
};

/** Converts a workflow without its definition. */
const toBareMessage = (workflow: WorkflowSummary): WorkflowMessage => toWorkflowMessage(workflow, NO_DEFINITION);

/** @throws InternalError if a version is missing: a workflow is never stored before its version */
export const createViewWorkflows = (definitions: DerivedVersions<Buffer>): ViewWorkflows =>
  async function viewWorkflows(workflows) {
    const byVersion = await definitions(workflows.map((workflow) => workflow.versionId));
    return workflows.map((workflow) => {
      const definition = byVersion.get(workflow.versionId);
      if (definition === undefined)
        throw new InternalError(
          new Error(`Version ${workflow.versionId} of workflow ${workflow.id} is not in the store.`),
        );
      return toWorkflowMessage(workflow, definition);
    });
  };

/** Joins one workflow with its current definition. */
export const viewOne = async (view: ViewWorkflows, workflow: WorkflowSummary): Promise<WorkflowMessage> => {
  const [one] = await view([workflow]);
  if (one === undefined) throw new InternalError(new Error('A view is missing.'));
  return one;
};

const fittingIntoPage = (workflows: readonly WorkflowSummary[]): readonly WorkflowSummary[] => {
  let bytes = 0;
  const end = workflows.findIndex((workflow, index) => {
    bytes += workflow.definitionBytes;
    return index > 0 && bytes > MAX_PAGE_BYTES;
  });
  return end < 0 ? workflows : workflows.slice(0, end);
};

const MAX_SEARCH_LENGTH = 200;
const MAX_IDS = 100;

/** @throws InvalidRequest for a filter that no workflow can match */
const checkFilter = ({ key, search = '', ids = [] }: WorkflowFilter): void => {
  const errors = [
    ...(key === undefined ? [] : keyErrors(key)),
    ...(search.length <= MAX_SEARCH_LENGTH
      ? []
      : [{ field: 'search', message: `must have at most ${MAX_SEARCH_LENGTH} characters.` }]),
    ...(ids.length <= MAX_IDS ? [] : [{ field: 'ids', message: `must be at most ${MAX_IDS} ids.` }]),
  ];
  if (errors.length > 0) throw new InvalidRequest('The filter is not valid.', errors);
};

/** The filter as part of a cursor. Cursors of unfiltered lists stay valid. */
const filtersOf = (filter: Readonly<Record<string, string | boolean | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

/** Reads workflows of a store; definitions come from their cache. */
export const workflowReads = (store: ScopedWorkflows, view: ViewWorkflows): WorkflowReads => ({
  listWorkflows: async ({ summary, key, managedBy, set, search, active, mcpTools, ids, ...page }) => {
    const filter = { key, managedBy, set, search: search === '' ? undefined : search, active, mcpTools, ids };
    const { projectId } = page;
    checkProjectFilter(projectId);
    checkFilter(filter);
    const source = {
      read: (afterId: string | undefined, limit: number) => store.page(filter, afterId, limit, projectId),
      idOf: ({ id }: WorkflowSummary) => id,
      filters: filtersOf({ projectId, ...filter, ids: ids?.join(',') }),
    };
    if (summary) {
      const { items, nextCursor } = await readPage(source, page);
      return { workflows: items.map(toBareMessage), nextCursor };
    }
    const { items, nextCursor } = await readPage({ ...source, fit: fittingIntoPage }, page);
    return { workflows: await view(items), nextCursor };
  },
  getWorkflows: async (asked) => {
    const found = await store.summaries([...new Set(asked.map(({ workflowId }) => workflowId))].filter(isUuid));
    const answers = asked.map(({ workflowId, knownEtags }) => {
      const workflow = found.get(workflowId);
      if (workflow instanceof Forbidden)
        return { workflowId, workflow: undefined, notModified: false, refusal: workflow };
      const notModified = workflow !== undefined && knownEtags.length > 0 && knownEtags.includes(etagOf(workflow));
      return { workflowId, workflow, notModified, refusal: undefined };
    });
    const changed = answers.flatMap(({ workflow, notModified }) => (notModified ? [] : (workflow ?? [])));
    const views = new Map((await view([...new Set(changed)])).map((workflow) => [workflow.id, workflow]));
    return answers.map(({ workflowId, workflow, notModified, refusal }) => {
      if (workflow === undefined) return refusal ?? new WorkflowNotFound(workflowId);
      return { workflow: notModified ? toBareMessage(workflow) : views.get(workflowId), notModified };
    });
  },
});
