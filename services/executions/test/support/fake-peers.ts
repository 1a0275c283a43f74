import { ApiKeyServiceService, Role } from '@weft/proto/identity';
import {
  StartPurpose,
  WorkflowServiceService,
  type PrepareStartResult,
  type RunPlan,
  type RunPlanRequest,
  type WorkflowVersion,
} from '@weft/proto/workflows';
import { ServiceError, Unauthorized, type ErrorKind } from '@weft/service-kit/errors';
import { bindService, toRpcStatus, type AccessRule, type BoundService, type Handlers } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';

/** A workflow of the fake workflows service. */
export interface FakeWorkflow {
  readonly workflowId: string;
  readonly versionId: string;
  readonly ownerId: string;
  readonly definition: object;
}

type WorkflowHandlers = Handlers<typeof WorkflowServiceService>;

const notFaked = () =>
  Promise.reject(new ServiceError({ reason: 'NOT_FAKED', kind: 'internal', message: 'The test does not fake this.' }));

/** The fake workflows service: its content, its requests, and whether it is down. */
export interface FakeWorkflows {
  readonly add: (definition?: object, ownerId?: string) => FakeWorkflow;
  readonly remove: (workflow: FakeWorkflow) => void;
  /** Adds a new version to a workflow; the previous one still exists. */
  readonly replace: (workflow: FakeWorkflow, definition: object) => FakeWorkflow;
  /** Removes a replaced version. */
  readonly forget: (workflow: FakeWorkflow) => void;
  readonly prepared: number[];
  /** For each prepared start: whether the pinned data of its workflow is used. */
  readonly usesPinData: boolean[];
  readonly fetched: string[][];
  /** Requests for plans of starts. */
  readonly planned: RunPlanRequest[];
  /** The plan of every start that requests one; undefined: none, as of an earlier release. */
  plan: RunPlan | undefined;
  isDown: boolean;
}

/** The trigger that the real service selects for each purpose of a start. */
const triggerOf = ({ definition }: FakeWorkflow, purpose: StartPurpose | undefined): string => {
  const kind =
    purpose === StartPurpose.START_PURPOSE_ERROR
      ? 'errorTrigger'
      : purpose === StartPurpose.START_PURPOSE_CALL
        ? 'executeWorkflowTrigger'
        : '';
  const { nodes }: { nodes?: readonly { readonly name: string; readonly type: string }[] } = { ...definition };
  return (kind === '' ? undefined : nodes?.find(({ type }) => type.endsWith(`.${kind}`))?.name) ?? 'Start';
};

const ours: AccessRule = { services: ['executions'] };

/** Creates a workflows service with the content that a test adds. */
export const createFakeWorkflows = (): { fake: FakeWorkflows; service: BoundService } => {
  const known: FakeWorkflow[] = [];
  const inlined: FakeWorkflow[] = [];
  const fake: FakeWorkflows = {
    add: (definition = {}, ownerId = uuidv7()) => {
      const workflow = {
        workflowId: uuidv7(),
        versionId: uuidv7(),
        ownerId,
        definition: { name: 'w', nodes: [], connections: {}, settings: {}, ...definition },
      };
      known.push(workflow);
      return workflow;
    },
    remove: (workflow) => known.splice(known.indexOf(workflow), 1),
    replace: (workflow, definition) => {
      const next = { ...workflow, versionId: uuidv7(), definition: { ...workflow.definition, ...definition } };
      known.splice(known.indexOf(workflow), 1, next);
      inlined.push(workflow);
      return next;
    },
    forget: ({ versionId }) =>
      inlined.splice(
        inlined.findIndex((one) => one.versionId === versionId),
        1,
      ),
    prepared: [],
    usesPinData: [],
    fetched: [],
    planned: [],
    plan: undefined,
    isDown: false,
  };
  const down = (): void => {
    if (fake.isDown) throw new ServiceError({ reason: 'SERVICE_UNAVAILABLE', kind: 'unavailable', message: 'down' });
  };
  const inline = ({ workflowId, ownerId }: FakeWorkflow, definition: Buffer): FakeWorkflow => {
    const version = { workflowId, versionId: uuidv7(), ownerId, definition: JSON.parse(definition.toString()) };
    inlined.push(version);
    return version;
  };
  const toVersion = ({ versionId, workflowId, ownerId, definition }: FakeWorkflow): WorkflowVersion => ({
    versionId,
    workflowId,
    ownerId,
    definition: Buffer.from(JSON.stringify(definition)),
  });
  const handlers: WorkflowHandlers = {
    listWorkflows: notFaked,
    getWorkflow: notFaked,
    createWorkflow: notFaked,
    replaceWorkflow: notFaked,
    deleteWorkflow: notFaked,
    activateWorkflow: notFaked,
    deactivateWorkflow: notFaked,
    checkDefinitions: notFaked,
    listWorkflowVersions: notFaked,
    getWorkflowVersion: notFaked,
    listConversations: notFaked,
    getConversation: notFaked,
    deleteConversation: notFaked,
    deleteConversations: notFaked,
    resolveWebhooks: notFaked,
    listRouteReleases: notFaked,
    listNodeTypes: notFaked,
    getNodeType: notFaked,
    prepareStarts: async ({ starts }) => {
      down();
      fake.prepared.push(starts.length);
      fake.usesPinData.push(...starts.map(({ usePinData }) => usePinData === true));
      return {
        results: starts.map(
          ({ workflowId, startNode, userId, role, purpose, definition, plan }): PrepareStartResult => {
            const found = known.find((workflow) => workflow.workflowId === workflowId);
            const refuse = (reason: string, kind: ErrorKind): PrepareStartResult => ({
              result: {
                $case: 'error',
                value: toRpcStatus(new ServiceError({ reason, kind, message: reason, details: { workflowId } })),
              },
            });
            if (found === undefined) return refuse('WORKFLOW_NOT_FOUND', 'not-found');
            if (role === 'editor' && found.ownerId !== userId) return refuse('FORBIDDEN', 'forbidden');
            const started = definition === undefined ? found : inline(found, definition);
            if (plan !== undefined) fake.planned.push(plan);
            return {
              result: {
                $case: 'prepared',
                value: {
                  versionId: started.versionId,
                  ownerId: found.ownerId,
                  startNode: startNode === '' ? triggerOf(started, purpose) : startNode,
                  ...(plan === undefined ? {} : { plan: fake.plan }),
                },
              },
            };
          },
        ),
      };
    },
    getVersions: async ({ versionIds }) => {
      down();
      fake.fetched.push(versionIds);
      return {
        versions: [...known, ...inlined].filter(({ versionId }) => versionIds.includes(versionId)).map(toVersion),
      };
    },
  };
  const access = {
    listWorkflows: ours,
    getWorkflow: ours,
    createWorkflow: ours,
    replaceWorkflow: ours,
    deleteWorkflow: ours,
    activateWorkflow: ours,
    deactivateWorkflow: ours,
    checkDefinitions: ours,
    listWorkflowVersions: ours,
    getWorkflowVersion: ours,
    listConversations: ours,
    getConversation: ours,
    deleteConversation: ours,
    deleteConversations: ours,
    resolveWebhooks: ours,
    listRouteReleases: ours,
    prepareStarts: ours,
    getVersions: ours,
    listNodeTypes: ours,
    getNodeType: ours,
  };
  return { fake, service: bindService(WorkflowServiceService, handlers, access) };
};

/** A credentials service with the keys `key-owner` and `key-viewer`. */
export const fakeCredentials = (): BoundService => {
  const handlers: Handlers<typeof ApiKeyServiceService> = {
    createApiKey: notFaked,
    listApiKeys: notFaked,
    deleteApiKey: notFaked,
    verifyApiKey: async ({ proof, count }) => {
      const key = proof?.$case === 'apiKey' ? proof.value : '';
      const role = { 'key-owner': Role.ROLE_OWNER, 'key-viewer': Role.ROLE_VIEWER }[key];
      if (role === undefined) throw new Unauthorized();
      return {
        userId: key,
        role,
        granted: count,
        limit: 0,
        remaining: 0,
        resetAt: new Date(),
        scopes: [],
        projectIds: [],
        readProjectIds: [],
        email: `${key}@example.test`,
      };
    },
  };
  return bindService(ApiKeyServiceService, handlers, {
    createApiKey: ours,
    listApiKeys: ours,
    deleteApiKey: ours,
    verifyApiKey: ours,
  });
};
