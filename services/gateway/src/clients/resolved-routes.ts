import {
  ResolvedWebhook,
  type ListRouteReleasesResponse,
  type RouteRelease,
  type WebhookAddress,
} from '@weft/proto/workflows';
import { createBoundedCache } from '@weft/service-kit/caching';
import { withoutContext } from '@weft/service-kit/context';

/** Finds the node that serves an address. */
export type ResolveWebhook = (address: WebhookAddress) => Promise<ResolvedWebhook>;

/** The workflows service. */
export interface RouteSource {
  readonly resolve: ResolveWebhook;
  /** Lists recent changes that outdate earlier results. */
  readonly listReleases: () => Promise<ListRouteReleasesResponse>;
}

interface Route {
  readonly webhook: ResolvedWebhook;
  /** Time of sending the request, by the clock of {@link reuseRoutes}, as are all times below. */
  readonly sentAt: number;
}

/** Minimum milliseconds between two background requests for releases: half of a lease. */
const RENEWAL_MS = 125;

/** Bounds of the cache, so that callers with many addresses do not fill the memory. */
const MAX_BYTES = 64_000_000;
const MAX_ROUTES = 50_000;

/** Approximate bytes of a cached route without its settings, and of a decoded byte of settings. */
const ROUTE_BYTES = 1_000;
const DECODED_BYTES = 3;

const bytesOf = (webhook: ResolvedWebhook): number =>
  ROUTE_BYTES + DECODED_BYTES * ResolvedWebhook.encode(webhook).finish().length;

/**
 * Reuses results for addresses (decision 0045): a result may be used while its lease lasts, counted from sending the
 * request, or the last request for releases if no release of its workflow has been listed since. While there are calls,
 * releases are requested in the background.
 * @param now monotonic milliseconds
 */
export const reuseRoutes = (
  { resolve, listReleases }: RouteSource,
  now: () => number = () => performance.now(),
): ResolveWebhook => {
  const routes = createBoundedCache<string, Route>({ maxEntries: MAX_ROUTES, maxWeight: MAX_BYTES });
  /** Releases of the last response, by workflow. */
  let listed: ReadonlyMap<string, string> = new Map();
  /** Time of sending the last successful request for releases. */
  let listedAt = -Infinity;
  /** Time of receiving that response. */
  let notedAt = -Infinity;
  /** Milliseconds for which releases are listed. */
  let listedMs = Infinity;
  /** Time of sending the last request for releases, successful or not. */
  let askedAt = -Infinity;
  /** Results of requests sent up to this time may miss releases. */
  let missedUntil = -Infinity;
  let listing: Promise<void> | undefined;

  const isOutdated = ({ workflowId, release }: ResolvedWebhook, releases = listed): boolean =>
    (releases.get(workflowId) ?? release) !== release;

  const note = (sentAt: number, response: ListRouteReleasesResponse): void => {
    const at = now();
    // A release may have come and gone since the previous request.
    if (at - listedAt >= response.listedMs) missedUntil = Math.max(missedUntil, at - response.listedMs);
    if (response.incomplete) missedUntil = at;
    const isNew = ({ workflowId, release }: RouteRelease): boolean => listed.get(workflowId) !== release;
    const added = new Map(response.releases.filter(isNew).map(({ workflowId, release }) => [workflowId, release]));
    if (added.size > 0)
      for (const [key, { webhook }] of routes.newest(Infinity)) if (isOutdated(webhook, added)) routes.delete(key);
    listed = new Map(response.releases.map(({ workflowId, release }) => [workflowId, release]));
    listedMs = response.listedMs;
    listedAt = sentAt;
    notedAt = at;
  };
  const askForReleases = async (): Promise<void> => {
    // Before the request is sent: the response may not include later changes.
    const sentAt = now();
    askedAt = sentAt;
    try {
      note(sentAt, await withoutContext(listReleases));
    } catch {
      // The leases end at their time; the next call resolves its address and gets the error.
    }
  };
  const renew = (): Promise<void> => {
    listing ??= askForReleases().finally(() => {
      listing = undefined;
    });
    return listing;
  };

  const find = (key: string): Route | undefined => {
    const route = routes.get(key);
    if (route === undefined || route.sentAt > missedUntil) return route;
    routes.delete(key);
    return undefined;
  };
  const leaseStart = ({ sentAt }: Route): number => Math.max(sentAt, listedAt);
  const isLeased = (route: Route): boolean => now() < leaseStart(route) + route.webhook.leaseMs;

  const ask = async (key: string, address: WebhookAddress): Promise<ResolvedWebhook> => {
    const sentAt = now();
    const webhook = await resolve(address);
    const known = routes.get(key);
    if (known !== undefined && known.sentAt > sentAt) return webhook;
    routes.delete(key);
    // A list received meanwhile may have later releases; those since a slow request may be listed no more.
    const isCurrent = sentAt > notedAt || !isOutdated(webhook);
    if (webhook.found && now() < sentAt + webhook.leaseMs && isCurrent)
      routes.set(key, { webhook, sentAt }, bytesOf(webhook));
    return webhook;
  };
  const renewOrAsk = async (key: string, address: WebhookAddress): Promise<ResolvedWebhook> => {
    await renew();
    const route = find(key);
    return route !== undefined && isLeased(route) ? route.webhook : ask(key, address);
  };

  return function resolveWebhook(address) {
    const key = `${address.method} ${address.path}`;
    const route = find(key);
    if (now() >= askedAt + RENEWAL_MS) void renew();
    if (route === undefined) return ask(key, address);
    if (isLeased(route)) return Promise.resolve(route.webhook);
    // After a long pause the list would not extend the lease.
    return now() - leaseStart(route) < listedMs ? renewOrAsk(key, address) : ask(key, address);
  };
};
