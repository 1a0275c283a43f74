import { type ResolvedWebhook, type WebhookAddress, WorkflowServiceService } from '@weft/proto/workflows';
import { createBatcher } from '@weft/service-kit/batching';
import { type Calls, createCaller } from '@weft/service-kit/grpc';
import type { Peer } from './callers';
import { reuseRoutes, type ResolveWebhook } from './resolved-routes';

/** Client of WorkflowService. */
export interface WorkflowsClient {
  readonly calls: Calls<typeof WorkflowServiceService>;
  /**
   * Finds the node for an address; lookups of one tick of the event loop are batched. A result is reused while it is
   * leased.
   */
  readonly resolveWebhook: ResolveWebhook;
  readonly close: () => void;
}

/** Timeout of a request for releases, in milliseconds. */
const RELEASES_DEADLINE_MS = 2_000;

/** Connects to the workflows service. */
export const createWorkflowsClient = (peer: Peer): WorkflowsClient => {
  const { calls, close } = createCaller(WorkflowServiceService, {
    service: 'workflows',
    ...peer,
    retried: [
      'listWorkflows',
      'getWorkflow',
      'checkDefinitions',
      'listWorkflowVersions',
      'getWorkflowVersion',
      'listConversations',
      'getConversation',
      'deleteConversations',
      'resolveWebhooks',
      'listRouteReleases',
      'listNodeTypes',
      'getNodeType',
    ],
  });
  const resolveNow = createBatcher<WebhookAddress, ResolvedWebhook>({
    maxBatch: 200,
    concurrency: 4,
    maxQueued: 10_000,
    flush: async (addresses) => (await calls.resolveWebhooks({ addresses: [...addresses] })).webhooks,
  });
  const listReleases = () => calls.listRouteReleases({}, { deadlineMs: RELEASES_DEADLINE_MS });
  return { calls, resolveWebhook: reuseRoutes({ resolve: resolveNow, listReleases }), close };
};
