import type { IncomingMessage } from 'node:http';

/** A request that occupies capacity while it arrives. */
export interface Sender {
  /** Recent bytes per millisecond; undefined if not measured yet, or if the whole request has arrived. */
  readonly rate: () => number | undefined;
  /** Ends the request, and returns its capacity before this function returns. */
  readonly drop: () => void;
}

/** Capacity that is divided between client blocks. A newcomer displaces the slowest sender of the largest holder. */
export interface Capacity {
  /**
   * Takes an amount for a client.
   * @returns false if the client's share is used up, or if all is taken and no other client holds as much as it would
   */
  readonly take: (client: string, amount: number) => boolean;
  readonly give: (client: string, amount: number) => void;
  /** Registers a sender that may be dropped. @returns a function that removes it */
  readonly enter: (client: string, sender: Sender) => () => void;
  /**
   * Drops the slowest sender of the client that holds most, if that is at least `wanted` and another client.
   * @returns whether there was one
   */
  readonly evict: (client: string, wanted: number) => boolean;
  readonly held: (client: string) => number;
}

interface Candidate {
  readonly sender: Sender;
  readonly rate: number;
}

const slowestOf = (senders: ReadonlySet<Sender> = new Set()): Candidate | undefined => {
  let slowest: Candidate | undefined;
  for (const sender of senders) {
    const rate = sender.rate();
    if (rate !== undefined && (slowest === undefined || rate < slowest.rate)) slowest = { sender, rate };
  }
  return slowest;
};

/** Creates a capacity of which each client may hold at most `share`. Clients that hold nothing are forgotten. */
export const createCapacity = (total: number, share: number): Capacity => {
  const held = new Map<string, number>();
  const senders = new Map<string, Set<Sender>>();
  let taken = 0;
  const heldBy = (client: string): number => held.get(client) ?? 0;
  const evict = (client: string, wanted: number): boolean => {
    let worst: (Candidate & { readonly amount: number }) | undefined;
    for (const [other, amount] of held) {
      if (other === client || amount < wanted || amount < (worst?.amount ?? 0)) continue;
      const slowest = slowestOf(senders.get(other));
      if (slowest === undefined) continue;
      if (worst === undefined || amount > worst.amount || slowest.rate < worst.rate) worst = { ...slowest, amount };
    }
    if (worst === undefined) return false;
    const before = taken;
    worst.sender.drop();
    return taken < before;
  };
  return {
    held: heldBy,
    evict,
    take: (client, amount) => {
      const own = heldBy(client) + amount;
      if (own > share || amount > total) return false;
      while (taken + amount > total) if (!evict(client, own)) return false;
      held.set(client, heldBy(client) + amount);
      taken += amount;
      return true;
    },
    give: (client, amount) => {
      const own = heldBy(client) - amount;
      if (own > 0) held.set(client, own);
      else held.delete(client);
      taken -= amount;
    },
    enter: (client, sender) => {
      const own = senders.get(client) ?? new Set();
      senders.set(client, own.add(sender));
      return () => {
        own.delete(sender);
        if (own.size === 0 && senders.get(client) === own) senders.delete(client);
      };
    },
  };
};

/** Milliseconds after which the rate of a sender is known. */
const FIRST_RATE_MS = 1_000;

/** Milliseconds after which a measurement begins again, so that an early burst does not count for long. */
const WINDOW_MS = 2_000;

/** A sender that is measured by the bytes that arrive on its connection. */
export const senderOf = (request: IncomingMessage, drop: () => void, now = () => performance.now()): Sender => {
  const { socket } = request;
  let from = now();
  let before = socket.bytesRead;
  let last: number | undefined;
  return {
    rate: () => {
      if (request.complete || request.destroyed) return undefined;
      const passed = now() - from;
      if (passed < FIRST_RATE_MS) return last;
      const rate = (socket.bytesRead - before) / passed;
      if (passed > WINDOW_MS) {
        last = rate;
        from = now();
        before = socket.bytesRead;
      }
      return rate;
    },
    drop,
  };
};
