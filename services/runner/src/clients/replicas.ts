import { resolveTarget } from '@weft/service-kit/grpc';
import type { ClaimOffered, ExecutionStore } from '../domain/claims/held/execution-store';

/** Individual replicas of the executions service. */
export interface Replicas {
  /** The replica at `host:port`; undefined if the target of the service does not resolve to it. */
  readonly at: (address: string) => Promise<Replica | undefined>;
  readonly close: () => void;
}

/** One replica; the same object while its client is open. */
export interface Replica {
  readonly store: ExecutionStore;
  readonly claimOffered: ClaimOffered;
}

/** A client of one replica. */
export interface ReplicaClient extends Replica {
  readonly close: () => void;
}

/** Milliseconds before an unknown address is resolved again. */
const LOOK_UP_MS = 1_000;

/** Milliseconds for which the client of a stopped replica stays open: runs may still report to it. */
const KEEP_MS = 60_000;

/**
 * Connects to individual replicas, and only to addresses of the service: an offer over NATS may be forged, and must not
 * direct the token of this runner elsewhere.
 */
export const createReplicas = (
  target: string,
  open: (target: string) => ReplicaClient,
  clock: () => number,
  resolve: (target: string) => Promise<readonly string[]> = resolveTarget,
): Replicas => {
  const clients = new Map<string, ReplicaClient>();
  let known: ReadonlySet<string> = new Set();
  let lookedUpAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  const lookUp = async (): Promise<void> => {
    lookedUpAt = clock();
    // If the name cannot be resolved now, known addresses stay valid.
    known = await resolve(target).then(
      (addresses) => new Set(addresses),
      () => known,
    );
    looking = undefined;
    for (const [address, client] of clients) {
      if (known.has(address)) continue;
      clients.delete(address);
      setTimeout(client.close, KEEP_MS).unref();
    }
  };
  const clientAt = (address: string): ReplicaClient => {
    const found = clients.get(address);
    if (found !== undefined) return found;
    const client = open(address.startsWith('[') ? `ipv6:${address}` : `ipv4:${address}`);
    clients.set(address, client);
    return client;
  };
  return {
    at: async (address) => {
      if (!known.has(address)) {
        if (clock() - lookedUpAt >= LOOK_UP_MS) looking ??= lookUp();
        await looking;
      }
      return known.has(address) ? clientAt(address) : undefined;
    },
    close: () => {
      for (const client of clients.values()) client.close();
    },
  };
};
