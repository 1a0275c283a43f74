import type { ResolvedWebhook, WebhookAddress } from '@weft/proto/workflows';

/** Finds the node that serves an address. */
export type ResolveWebhook = (address: WebhookAddress) => Promise<ResolvedWebhook>;

interface Lease {
  readonly webhook: ResolvedWebhook;
  /** By the clock of {@link leaseRoutes}, as are the two below. */
  readonly until: number;
  readonly renewAt: number;
}

/** Maximum number of leased addresses, so that callers with many spellings of one path do not fill the memory. */
const MAX_LEASES = 10_000;

/**
 * Reuses the result for an address while it is leased. A lease in use is renewed in the background after half of its
 * time, so that successive calls do not wait for the workflows service.
 * @param now monotonic milliseconds
 */
export const leaseRoutes = (resolve: ResolveWebhook, now: () => number = () => performance.now()): ResolveWebhook => {
  // Ordered by their end, because all have the same duration.
  const leases = new Map<string, Lease>();
  const renewing = new Set<string>();

  const keep = (key: string, lease: Lease): void => {
    if ((leases.get(key)?.until ?? 0) > lease.until) return;
    leases.delete(key);
    leases.set(key, lease);
    for (const [oldest, { until }] of leases) {
      if (until > now() && leases.size <= MAX_LEASES) break;
      leases.delete(oldest);
    }
  };
  const ask = async (key: string, address: WebhookAddress): Promise<ResolvedWebhook> => {
    // Before the request is sent: the result may not include later changes.
    const sentAt = now();
    const webhook = await resolve(address);
    const { found, leaseMs } = webhook;
    if (!found) leases.delete(key);
    else if (leaseMs > 0) keep(key, { webhook, until: sentAt + leaseMs, renewAt: sentAt + leaseMs / 2 });
    return webhook;
  };
  const renew = async (key: string, address: WebhookAddress): Promise<void> => {
    renewing.add(key);
    try {
      await ask(key, address);
    } catch {
      // The lease ends at its time; the next call repeats the request and gets the error.
    } finally {
      renewing.delete(key);
    }
  };

  return function resolveWebhook(address) {
    const key = `${address.method} ${address.path}`;
    const lease = leases.get(key);
    const at = now();
    if (lease === undefined || at >= lease.until) return ask(key, address);
    if (at >= lease.renewAt && !renewing.has(key)) void renew(key, address);
    return Promise.resolve(lease.webhook);
  };
};
