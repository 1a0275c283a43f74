import type { FormSettings, WebhookSettings } from '@weft/proto/channels';
import {
  type Conversation,
  type CreateWorkflowRequest,
  CredentialHow,
  type DefinitionWarning,
  WorkflowServiceService,
  type ResolvedWebhook,
  type Workflow,
} from '@weft/proto/workflows';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { formSettings, webhookSettings } from './ingress-settings';
import { createFake } from './fake';

/** A webhook of a workflow with default settings and the given changes. */
export const webhookAt = (
  over: Partial<ResolvedWebhook> = {},
  settings: Partial<WebhookSettings> = {},
): ResolvedWebhook => ({
  found: true,
  workflowId: 'w1',
  versionId: 'v1',
  ownerId: 'owner',
  node: 'Webhook',
  pathParams: {},
  leaseMs: 0,
  release: '',
  otherMethods: [],
  settings: { $case: 'webhook', value: webhookSettings(settings) },
  ...over,
});

/** A form of a workflow. */
export const formAt = (settings: Partial<FormSettings> = {}): ResolvedWebhook =>
  webhookAt({ node: 'Form', settings: { $case: 'form', value: formSettings(settings) } });

/** The catalogue's description of a kind. */
export const describedKind = (kind: string, versions: readonly number[]) => ({
  kind,
  label: kind,
  description: `What ${kind} does.`,
  versions,
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: [],
});

/** Its node types, and their tag. */
export const CATALOGUE_TAG = 'abc123';
export const NODE_TYPES = [
  { kind: 'limit', descriptor: Buffer.from(JSON.stringify(describedKind('limit', [1]))) },
  { kind: 'set', descriptor: Buffer.from(JSON.stringify(describedKind('set', [1, 2]))) },
];

/** No webhook is at this address. */
export const NOWHERE: ResolvedWebhook = {
  found: false,
  workflowId: '',
  versionId: '',
  ownerId: '',
  node: '',
  pathParams: {},
  leaseMs: 0,
  release: '',
  otherMethods: [],
};
const read = { users: 'workflows:read' as const };
const write = { users: 'workflows:write' as const };
const inside = { services: ['gateway'] };
const access = {
  listWorkflows: read,
  getWorkflow: read,
  createWorkflow: write,
  replaceWorkflow: write,
  deleteWorkflow: write,
  activateWorkflow: write,
  deactivateWorkflow: write,
  checkDefinitions: write,
  listWorkflowVersions: read,
  getWorkflowVersion: read,
  listConversations: write,
  getConversation: write,
  deleteConversation: write,
  deleteConversations: write,
  resolveWebhooks: inside,
  listRouteReleases: inside,
  prepareStarts: inside,
  getVersions: inside,
  listNodeTypes: read,
  getNodeType: read,
};

const AT = new Date('2026-01-02T03:04:05.678Z');
const CONVERSATION: Conversation = {
  ...{ id: 'c1', session: 's "1"', messages: 2, bytes: 64 },
  ...{ createdAt: AT, updatedAt: AT, expiresAt: AT },
};

/** A definition as stored: without the fields set by the service, otherwise unchanged. */
const definitionOf = (definition: Buffer): Pick<Workflow, 'name' | 'definition'> => {
  const { id, active, createdAt, updatedAt, ...own } = JSON.parse(definition.toString());
  const isWhole = [id, active, createdAt, updatedAt].every((value) => value === undefined);
  return { name: own.name, definition: isWhole ? definition : Buffer.from(JSON.stringify(own)) };
};

/** The current version of a workflow, and one of an earlier release. */
const versionsOf = ({ versionId, createdAt }: Workflow) => [
  { versionId, createdAt, hash: '1:ab', current: true },
  { versionId: 'older', createdAt, current: false },
];

/** Key and management after a write. */
const managedBy = (
  { key, management }: Pick<CreateWorkflowRequest, 'key' | 'management'>,
  appliedVersionId: string,
): Pick<Workflow, 'key' | 'managed'> => ({
  ...(key === undefined ? {} : { key }),
  ...(management === undefined ? {} : { managed: { ...management, appliedVersionId, appliedAt: APPLIED_AT } }),
});

const APPLIED_AT = new Date('2026-01-02T03:04:05.678Z');

/** A workflows service that stores its input in memory. */
export const fakeWorkflows = () => {
  const fake = createFake();
  const stored = new Map<string, Workflow>();
  /** By `METHOD path`. */
  const webhooks = new Map<string, ResolvedWebhook>();
  /** Warnings returned for every change. */
  const warnings: DefinitionWarning[] = [];
  let made = 0;
  const find = (id: string): Workflow => {
    const workflow = stored.get(id);
    if (workflow === undefined)
      throw new ServiceError({
        reason: 'WORKFLOW_NOT_FOUND',
        kind: 'not-found',
        message: `No workflow has the id ${id}.`,
        details: { workflowId: id },
      });
    return workflow;
  };
  const keep = (changed: Omit<Workflow, 'etag'>): Workflow => {
    const workflow = { ...changed, etag: `${changed.versionId}${changed.active ? '-active' : ''}` };
    stored.set(workflow.id, workflow);
    return workflow;
  };
  const demand = (etag: string, ifEtags: readonly string[]): void => {
    if (ifEtags.length === 0 || ifEtags.includes(etag)) return;
    throw new ServiceError({ reason: 'VERSION_CONFLICT', kind: 'precondition', message: 'Changed.' });
  };
  const handlers: Handlers<typeof WorkflowServiceService> = {
    listWorkflows: (request, context) =>
      fake.act('listWorkflows', request, context, () => {
        const all = [...stored.values()];
        const from = request.cursor === '' ? 0 : Number(request.cursor);
        const limit = request.limit === 0 ? 20 : request.limit;
        return {
          workflows: all
            .slice(from, from + limit)
            .map((workflow) => (request.summary ? { ...workflow, definition: Buffer.alloc(0) } : workflow)),
          nextCursor: from + limit < all.length ? String(from + limit) : '',
        };
      }),
    getWorkflow: (request, context) =>
      fake.act('getWorkflow', request, context, () => {
        const workflow = find(request.workflowId);
        const notModified = request.knownEtags.includes(workflow.etag);
        return { workflow: notModified ? { ...workflow, definition: Buffer.alloc(0) } : workflow, notModified };
      }),
    createWorkflow: (request, context) =>
      fake.act('createWorkflow', request, context, () => {
        made += 1;
        const at = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
        return {
          workflow: keep({
            ...definitionOf(request.definition),
            active: request.active,
            id: `w${made}`,
            createdAt: at,
            updatedAt: at,
            versionId: `v${made}`,
            ownerId: context.principal?.userId ?? '',
            definitionHash: '1:ab',
            ...managedBy(request, `v${made}`),
          }),
          warnings,
        };
      }),
    replaceWorkflow: (request, context) =>
      fake.act('replaceWorkflow', request, context, () => {
        const old = find(request.workflowId);
        demand(old.etag, request.ifEtags);
        return {
          workflow: keep({
            ...old,
            ...definitionOf(request.definition),
            versionId: `${old.versionId}+`,
            ...managedBy(request, `${old.versionId}+`),
            updatedAt: new Date(),
          }),
          warnings,
        };
      }),
    deleteWorkflow: (request, context) =>
      fake.act('deleteWorkflow', request, context, () => {
        const { id, etag } = find(request.workflowId);
        demand(etag, request.ifEtags);
        stored.delete(id);
        return {};
      }),
    activateWorkflow: (request, context) =>
      fake.act('activateWorkflow', request, context, () => ({
        workflow: keep({ ...find(request.workflowId), active: true }),
        warnings,
      })),
    deactivateWorkflow: (request, context) =>
      fake.act('deactivateWorkflow', request, context, () => ({
        workflow: keep({ ...find(request.workflowId), active: false }),
      })),
    listWorkflowVersions: (request, context) =>
      fake.act('listWorkflowVersions', request, context, () => ({
        versions: versionsOf(find(request.workflowId)),
        nextCursor: '',
      })),
    getWorkflowVersion: (request, context) =>
      fake.act('getWorkflowVersion', request, context, () => {
        const workflow = find(request.workflowId);
        const version = versionsOf(workflow).find(({ versionId }) => versionId === request.versionId);
        if (version === undefined)
          throw new ServiceError({
            reason: 'VERSION_NOT_FOUND',
            kind: 'not-found',
            message: 'No such version.',
            details: { workflowId: workflow.id, versionId: request.versionId },
          });
        return { version, definition: workflow.definition };
      }),
    listConversations: (request, context) =>
      fake.act('listConversations', request, context, () => {
        find(request.workflowId);
        return { conversations: [CONVERSATION], nextCursor: '' };
      }),
    getConversation: (request, context) =>
      fake.act('getConversation', request, context, () => {
        find(request.workflowId);
        return { conversation: CONVERSATION, messagesJson: '[{"role":"user","content":"Hi"}]' };
      }),
    deleteConversation: (request, context) =>
      fake.act('deleteConversation', request, context, () => {
        find(request.workflowId);
        if (request.conversationId === CONVERSATION.id) return {};
        throw new ServiceError({
          reason: 'CONVERSATION_NOT_FOUND',
          kind: 'not-found',
          message: 'No such conversation.',
          details: { conversationId: request.conversationId },
        });
      }),
    deleteConversations: (request, context) =>
      fake.act('deleteConversations', request, context, () => {
        find(request.workflowId);
        return { deleted: 3 };
      }),
    checkDefinitions: (request, context) =>
      fake.act('checkDefinitions', request, context, () => ({
        checked: request.definitions.map((definition) => {
          const { name } = definitionOf(definition);
          if (name === 'broken')
            return {
              name: '',
              definition: Buffer.alloc(0),
              hash: '',
              runnable: false,
              errors: [{ field: 'nodes', message: 'must be an array' }],
              warnings: [],
              credentials: [],
              routes: [],
            };
          return {
            name,
            definition,
            hash: '1:ab',
            runnable: true,
            errors: [],
            warnings: [...warnings],
            credentials: [
              {
                ...{ node: 'Http', type: 'erpApi', storedType: 'httpHeaderAuth', name: 'k', id: 'c1' },
                how: CredentialHow.CREDENTIAL_HOW_GIVEN,
              },
              // As a service of an earlier release sends it.
              {
                ...{ node: 'Http', type: 'httpBasicAuth', storedType: '', name: 'b' },
                how: CredentialHow.CREDENTIAL_HOW_NONE,
              },
            ],
            routes: [
              { method: 'POST', path: 'a', node: 'Hook', takenBy: 'w9' },
              { method: 'POST', path: 'b', node: 'Hook' },
            ],
          };
        }),
      })),
    resolveWebhooks: (request, context) =>
      fake.act('resolveWebhooks', request, context, () => ({
        webhooks: request.addresses.map(({ method, path }) => webhooks.get(`${method} ${path}`) ?? NOWHERE),
      })),
    listRouteReleases: (request, context) =>
      fake.act('listRouteReleases', request, context, () => ({ releases: [], incomplete: false, listedMs: 10_000 })),
    prepareStarts: (request, context) => fake.act('prepareStarts', request, context, () => ({ results: [] })),
    getVersions: (request, context) => fake.act('getVersions', request, context, () => ({ versions: [] })),
    listNodeTypes: (request, context) =>
      fake.act('listNodeTypes', request, context, () => ({
        tag: CATALOGUE_TAG,
        nodeTypes: request.knownTag === CATALOGUE_TAG ? [] : NODE_TYPES,
      })),
    getNodeType: (request, context) =>
      fake.act('getNodeType', request, context, () => {
        const nodeType = NODE_TYPES.find(({ kind }) => kind === request.kind);
        if (nodeType === undefined)
          throw new ServiceError({
            reason: 'NODE_TYPE_NOT_FOUND',
            kind: 'not-found',
            message: 'No such kind.',
            details: { kind: request.kind },
          });
        return { tag: CATALOGUE_TAG, nodeType };
      }),
  };
  return { ...fake, stored, webhooks, warnings, bound: bindService(WorkflowServiceService, handlers, access) };
};
