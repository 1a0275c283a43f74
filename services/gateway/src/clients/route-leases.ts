import type { ResolvedWebhook, WebhookAddress } from '@weft/proto/workflows';

/** Finds the node that serves an address. */
export type ResolveWebhook = (address: WebhookAddress) => Promise<ResolvedWebhook>;

interface Lease {
  readonly webhook: ResolvedWebhook;
  /** By the clock of {@link leaseRoutes}; the same for the two below. */
  readonly until: number;
  readonly renewAt: number;
}

/** Addresses that are leased at a time, so that callers with many ways to write one path do not fill the memory. */
const MAX_LEASES = 10_000;

/**
 * Uses the answer for an address again while it is leased. One that is in use is renewed beside the calls, after half
 * of its time, so that calls that follow each other do not wait for the workflows service.
 * @param now monotonic, in milliseconds
 */
export const leaseRoutes = (resolve: ResolveWebhook, now: () => number = () => performance.now()): ResolveWebhook => {
  // In the order in which they end, since all have the same duration.
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
    // Before the question is sent: what is written after it may not be in the answer.
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
      // The lease ends at its time; the next call asks again and is answered with the error.
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
