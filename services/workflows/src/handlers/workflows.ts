import {
  type GetWorkflowResponse,
  type ListWorkflowsRequest,
  type ListWorkflowsResponse,
  type ManagementChange as ManagementChangeMessage,
  ParkedCalls,
  type Workflow,
  type WorkflowServiceService,
} from '@weft/proto/workflows';
import { createBatcher, createSharedReads } from '@weft/service-kit/batching';
import { InternalError, type ServiceError } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { VisibilityScope } from '@weft/service-kit/visibility';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../compose';
import type { ParkedChoice } from '../domain/deliveries/park-deliveries';
import type { NodeTypes } from '../domain/definitions/node-types';
import { readManager, type ManagementChange } from '../domain/workflows/management';
import type { AskedWorkflow, ListPage } from '../domain/workflows/read-workflows';
import type { GetVersions } from '../domain/versions/versions';
import { userOf } from './access';

type WorkflowHandlers = Handlers<typeof WorkflowServiceService>;

/** A requested workflow, and the visibility scope of its caller. */
interface Asked {
  readonly asked: AskedWorkflow;
  readonly scope: VisibilityScope;
}

/** Reads requested workflows together, with one query for each visibility scope. */
const readAll = async ({ within }: Within, all: readonly Asked[]): Promise<(GetWorkflowResponse | ServiceError)[]> => {
  const answers = new Map<Asked, GetWorkflowResponse | ServiceError>();
  const readAs = async (scope: VisibilityScope, together: readonly Asked[]): Promise<void> => {
    const read = await within(scope).getWorkflows(together.map(({ asked }) => asked));
    together.forEach((one, index) => answers.set(one, read[index] ?? new InternalError()));
  };
  await Promise.all([...Map.groupBy(all, ({ scope }) => scope)].map(([scope, together]) => readAs(scope, together)));
  return all.map((one) => answers.get(one) ?? new InternalError());
};

const toListPage = ({
  managedBy,
  key,
  set,
  search,
  active,
  projectId,
  mcpTools,
  ids,
  ...page
}: ListWorkflowsRequest): ListPage => ({
  ...page,
  projectId,
  key,
  managedBy: managedBy === undefined ? undefined : readManager(managedBy),
  set,
  search,
  active,
  mcpTools: mcpTools === true ? true : undefined,
  ids: ids?.values,
});

const toManagementChange = (
  key: string | undefined,
  management: ManagementChangeMessage | undefined,
): ManagementChange => ({
  key,
  management: management === undefined ? undefined : { ...management, by: readManager(management.by) },
});

const NO_DEFINITION = Buffer.alloc(0);

/** A response, without the definition of its workflow if only the summary was requested. */
export const summarized = <Response extends { readonly workflow?: Workflow | undefined }>(
  summary: boolean | undefined,
  response: Response,
): Response =>
  summary !== true || response.workflow === undefined
    ? response
    : { ...response, workflow: { ...response.workflow, definition: NO_DEFINITION } };

/**
 * Reads of workflows over gRPC. Concurrent calls of GetWorkflow, and equal calls of ListWorkflows, with the same
 * visibility scope share one query.
 */
export const workflowReadHandlers = (useCases: Within): Pick<WorkflowHandlers, 'listWorkflows' | 'getWorkflow'> => {
  const { scopes, within } = useCases;
  const getOne = createBatcher<Asked, GetWorkflowResponse>({
    flush: (all) => readAll(useCases, all),
    maxBatch: 50,
    concurrency: 4,
    maxQueued: 5_000,
  });
  const shareList = createSharedReads<ListWorkflowsResponse>();
  return {
    listWorkflows: async (request, { principal }) => {
      const scope = await scopes.ofUser(principal);
      const page = toListPage(request);
      return shareList(`${scope.name} ${JSON.stringify(page)}`, () => within(scope).listWorkflows(page));
    },
    getWorkflow: async ({ summary, ...asked }, { principal }) =>
      summarized(summary, await getOne({ asked, scope: await scopes.ofUser(principal) })),
  };
};

const PARKED_CHOICES: ReadonlyMap<ParkedCalls, ParkedChoice> = new Map([
  [ParkedCalls.PARKED_CALLS_RUN, 'run'],
  [ParkedCalls.PARKED_CALLS_DROP, 'drop'],
]);

/** Writes of workflows over gRPC. */
export const workflowWriteHandlers = (
  useCases: Within,
): Pick<
  WorkflowHandlers,
  'createWorkflow' | 'replaceWorkflow' | 'deleteWorkflow' | 'activateWorkflow' | 'deactivateWorkflow'
> => ({
  createWorkflow: async ({ definition, active, projectId, key, management, summary }, context) =>
    summarized(
      summary,
      await (
        await scopedTo(useCases, context)
      ).createWorkflow(
        { definition, active, projectId, id: context.createdId, ...toManagementChange(key, management) },
        userOf(context),
      ),
    ),
  replaceWorkflow: async ({ workflowId, definition, ifVersionId, ifEtags, key, management, summary }, context) =>
    summarized(
      summary,
      await (
        await scopedTo(useCases, context)
      ).replaceWorkflow(
        {
          workflowId,
          definition,
          ifVersionId: ifVersionId === '' ? undefined : ifVersionId,
          ifEtags,
          ...toManagementChange(key, management),
        },
        userOf(context),
      ),
    ),
  deleteWorkflow: async ({ workflowId, ifEtags }, context) => {
    await (await scopedTo(useCases, context)).deleteWorkflow(workflowId, { ifEtags }, userOf(context));
    return {};
  },
  activateWorkflow: async ({ workflowId, ifEtags, parkedCalls, summary }, context) =>
    summarized(
      summary,
      await (
        await scopedTo(useCases, context)
      ).activateWorkflow(
        workflowId,
        { ifEtags },
        userOf(context),
        parkedCalls === undefined ? undefined : PARKED_CHOICES.get(parkedCalls),
      ),
    ),
  deactivateWorkflow: async ({ workflowId, ifEtags, summary }, context) => {
    const scoped = await scopedTo(useCases, context);
    return summarized(summary, { workflow: await scoped.deactivateWorkflow(workflowId, { ifEtags }, userOf(context)) });
  },
});

/** Reads of the versions of a workflow over gRPC. */
export const versionReadHandlers = (
  useCases: Within,
): Pick<WorkflowHandlers, 'listWorkflowVersions' | 'getWorkflowVersion'> => ({
  listWorkflowVersions: async ({ workflowId, ...page }, context) =>
    (await scopedTo(useCases, context)).listWorkflowVersions(workflowId, page),
  getWorkflowVersion: async ({ workflowId, versionId }, context) =>
    (await scopedTo(useCases, context)).getWorkflowVersion(workflowId, versionId),
});

/** GetVersions over gRPC. */
export const versionHandlers = (getVersions: GetVersions): Pick<WorkflowHandlers, 'getVersions'> => ({
  getVersions: async ({ versionIds }) => ({ versions: await getVersions(versionIds) }),
});

/** The catalogue over gRPC: only the tag for callers that have the current one. */
export const nodeTypeHandlers = ({
  catalogue,
  one,
}: NodeTypes): Pick<WorkflowHandlers, 'listNodeTypes' | 'getNodeType'> => ({
  listNodeTypes: async ({ knownTag }) => {
    const { all, tag } = await catalogue();
    return { tag, nodeTypes: knownTag === tag ? [] : [...all] };
  },
  getNodeType: ({ kind }) => one(kind),
});
