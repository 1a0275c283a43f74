import { randomUUID } from 'node:crypto';
import type { Logger } from '@weft/service-kit/logging';
import { createClaim, type Claim, type ClaimPorts } from './domain/claim/claim-executions';
import { createAwaitedRecords } from './domain/hold/awaited-records';
import { createEagerRuns } from './domain/hold/eager-runs';
import type { HeldPorts } from './domain/hold/held-runs';
import { observeWrites, type WriteEvents } from './domain/hold/observed-writes';
import { withoutUnkept } from './domain/hold/unkept-runs';
import type { QueueBudget } from './domain/start/queue-budget';
import type { Clock } from './domain/state/ports';
import { createRunObserver } from './observing/observe-runs';
import type { Store } from './store/open-store';

/** Parts of writing executions. */
export interface WriteParts {
  readonly store: Store;
  readonly openOffers: HeldPorts['openOffers'];
  /** Is told of every write that went through. */
  readonly events: WriteEvents;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Wraps a function in layers, the outermost first. */
const layered = <Layered>(inner: Layered, ...layers: readonly ((next: Layered) => Layered)[]): Layered =>
  layers.reduceRight((next, layer) => layer(next), inner);

/**
 * The way of writes to the store. The order of the layers matters:
 *
 * 1. Runs that are held in memory come first: a write to one of them becomes an insert, which passes none of the other
 *    layers of writes. Whoever waits for it is answered by that insert.
 * 2. Events: callers, other replicas and post-run actions hear of a write after everything below it is done, and with
 *    the record that the lowest layer has added.
 * 3. Metrics and the line about an end.
 * 4. Records that callers wait for, next to the store: they must see each write as it was applied, in that order.
 *
 * Inserts pass metrics first, so that runs that leave nothing behind are counted although they are never stored.
 */
export const composeWrites = ({ store, openOffers, events, logger, clock }: WriteParts) => {
  const metrics = createRunObserver({ readHeld: store.readHeld, logger, clock });
  const awaited = createAwaitedRecords();
  const insert = layered(store.insert, metrics.insert, withoutUnkept);
  const eager = createEagerRuns({
    insert,
    apply: layered(store.apply, (next) => observeWrites(next, events), metrics.apply, awaited.apply),
    claim: store.claim,
    openOffers,
    newBatchId: randomUUID,
    onAwaited: awaited.keep,
    onEnded: events.onEnded,
    clock,
  });
  const { apply, begin, claim, drain, isHeld, stored } = eager;
  return {
    apply,
    insert,
    begin,
    claim,
    drain,
    isHeld,
    onClaimed: metrics.claimed,
    /** Reads see what is held: it is stored first. */
    readers: {
      read: stored(store.read),
      readHeld: stored(store.readHeld),
      readShown: stored(store.readShown),
      readTail: stored(store.readTail),
    },
  };
};

/** Parts of claiming executions. */
export interface ClaimParts extends Omit<ClaimPorts, 'claim' | 'apply'> {
  readonly budget: Pick<QueueBudget, 'left'>;
  /** Runners have asked for these, which are in the queue. */
  readonly onQueued: (executionIds: readonly string[]) => void;
}

/**
 * The way of claims to the store, in this order: the announcer of the queue hears which of its messages have reached a
 * runner, whatever the runner gets; the claim itself adds definitions, and releases what it cannot give out; runs that
 * are held in memory are taken there, without a write; the store has the rest. Metrics and the budget of the queue count
 * only what a runner gets.
 */
export const composeClaims = (
  {
    apply,
    claim,
    isHeld,
    onClaimed,
  }: Pick<ReturnType<typeof composeWrites>, 'apply' | 'claim' | 'isHeld' | 'onClaimed'>,
  { budget, onQueued, ...ports }: ClaimParts,
): Claim => {
  const take = createClaim({ ...ports, claim, apply });
  return async (request) => {
    const queued = request.executionIds.filter((id) => !isHeld(id));
    if (queued.length > 0) onQueued(queued);
    const claimed = await take(request);
    onClaimed(claimed.executions);
    budget.left(claimed.executions);
    return claimed;
  };
};
