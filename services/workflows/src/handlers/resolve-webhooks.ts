import type { ResolvedWebhook as ResolvedWebhookMessage, WorkflowServiceService } from '@weft/proto/workflows';
import { createBatcher, createSharedReads } from '@weft/service-kit/batching';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handler } from '@weft/service-kit/grpc';
import type { ResolvedWebhook, ResolveWebhooks, WebhookAddress } from '../domain/routes/resolve-webhooks';
import { RELEASE_LISTED_MS, type ListedReleases } from '../domain/routes/route-releases';

/** Maximum addresses per call and per query. */
const MAX_ADDRESSES = 500;

/** Converts the node of an address. */
export const toResolvedWebhookMessage = (webhook: ResolvedWebhook): ResolvedWebhookMessage =>
  webhook.found
    ? { ...webhook, pathParams: { ...webhook.pathParams }, otherMethods: [] }
    : {
        found: false,
        workflowId: '',
        versionId: '',
        ownerId: '',
        node: '',
        pathParams: {},
        leaseMs: 0,
        release: '',
        otherMethods: [...webhook.otherMethods],
      };

/** ResolveWebhooks over gRPC. Concurrent addresses, in one or several calls, share one query. */
export const resolveWebhooksHandler = (
  resolveWebhooks: ResolveWebhooks,
): Handler<typeof WorkflowServiceService.resolveWebhooks> => {
  const resolveOne = createBatcher<WebhookAddress, ResolvedWebhook>({
    flush: resolveWebhooks,
    maxBatch: MAX_ADDRESSES,
    concurrency: 2,
    maxQueued: 10_000,
  });
  return async function handleResolveWebhooks({ addresses }) {
    if (addresses.length > MAX_ADDRESSES)
      throw new InvalidRequest('Too many addresses.', [
        { field: 'addresses', message: `Use at most ${MAX_ADDRESSES} addresses.` },
      ]);
    const webhooks = await Promise.all(addresses.map(({ method, path }) => resolveOne({ method, path })));
    return { webhooks: webhooks.map(toResolvedWebhookMessage) };
  };
};

/** ListRouteReleases over gRPC. Concurrent calls share a read that begins after them. */
export const listRouteReleasesHandler = (
  listReleases: () => Promise<ListedReleases>,
): Handler<typeof WorkflowServiceService.listRouteReleases> => {
  const share = createSharedReads<ListedReleases>();
  return async function handleListRouteReleases() {
    const { releases, isComplete } = await share('', listReleases);
    return {
      releases: releases.map(({ workflowId, id }) => ({ workflowId, release: id })),
      incomplete: !isComplete,
      listedMs: RELEASE_LISTED_MS,
    };
  };
};
