import { randomUUID } from 'node:crypto';
import type { Logger } from '@weft/service-kit/logging';
import { createClaim, type Claim, type ClaimPorts } from './domain/claim/claim-executions';
import { createAwaitedRecords } from './domain/inline/awaited-records';
import { createInlineRuns } from './domain/inline/inline-runs';
import { createSideEffectingVersions } from './domain/inline/side-effecting-versions';
import type { InMemoryPorts } from './domain/inline/in-memory-runs';
import { observeWrites, type WriteEvents } from './domain/end/observed-writes';
import { withoutUnkept } from './domain/inline/unkept-runs';
import type { QueueBudget } from './domain/start/queue-budget';
import type { Clock } from './domain/state/ports';
import type { GetVersion } from './domain/state/version-cache';
import { createRunObserver } from './observing/observe-runs';
import type { Store } from './store/open-store';

/** Dependencies of writing executions. */
export interface WriteParts {
  readonly store: Store;
  readonly openOffers: InMemoryPorts['openOffers'];
  /** Reports every applied write. */
  readonly events: WriteEvents;
  /** Names the workflow in the log line about a failed run. */
  readonly getVersion: GetVersion;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Wraps a function in layers, the outermost first. */
const layered = <Layered>(inner: Layered, ...layers: readonly ((next: Layered) => Layered)[]): Layered =>
  layers.reduceRight((next, layer) => layer(next), inner);

/**
 * Composes the path of a write to the store. The layers, from the outermost, and the reason for their order:
 *
 * 1. In-memory runs. A write to one of them becomes an insert and skips the layers below; waiting callers get their
 *    response from that insert.
 * 2. Events. Waiting callers, other replicas and completion hooks are notified of a write after all layers below, with
 *    the record that layer 4 added.
 * 3. Metrics, and the log line about the end of a run.
 * 4. Records of runs that callers wait for, next to the store: they must see every write as it was applied.
 *
 * An insert passes metrics before the layer that skips runs that leave nothing behind, so that these are also counted.
 */
export const composeWrites = ({ store, openOffers, events, getVersion, logger, clock }: WriteParts) => {
  const metrics = createRunObserver({ readHeld: store.readHeld, getVersion, logger, clock });
  const awaited = createAwaitedRecords();
  const insert = layered(store.insert, metrics.insert, withoutUnkept);
  const inlineRuns = createInlineRuns({
    insert,
    apply: layered(store.apply, (next) => observeWrites(next, events), metrics.apply, awaited.apply),
    claim: store.claim,
    openOffers,
    newBatchId: randomUUID,
    onAwaited: awaited.keep,
    sideEffecting: createSideEffectingVersions(),
    onEnded: events.onEnded,
    clock,
  });
  const { apply, begin, claim, drain, isInMemory, stored } = inlineRuns;
  return {
    apply,
    insert,
    begin,
    claim,
    drain,
    isInMemory,
    onClaimed: metrics.claimed,
    /** Stores an in-memory run before it is read. */
    readers: {
      read: stored(store.read),
      readHeld: stored(store.readHeld),
      readShown: stored(store.readShown),
      readFollowed: stored(store.readFollowed),
      readTail: stored(store.readTail),
    },
  };
};

/** Dependencies of claiming executions. */
export interface ClaimParts extends Omit<ClaimPorts, 'claim' | 'apply'> {
  readonly budget: Pick<QueueBudget, 'left'>;
  /** Called with queued executions that runners asked for. */
  readonly onQueued: (executionIds: readonly string[]) => void;
}

/**
 * Composes the path of a claim to the store. The layers, from the outermost:
 *
 * 1. The publisher of the queue learns which of its messages reached a runner, whether or not the runner claims the
 *    executions.
 * 2. The claim adds definitions, and releases executions that it cannot return.
 * 3. In-memory runs are claimed there, without a write.
 * 4. The store claims the rest.
 *
 * On the way back, metrics and the budget of the queue count the claimed executions.
 */
export const composeClaims = (
  {
    apply,
    claim,
    isInMemory,
    onClaimed,
  }: Pick<ReturnType<typeof composeWrites>, 'apply' | 'claim' | 'isInMemory' | 'onClaimed'>,
  { budget, onQueued, ...ports }: ClaimParts,
): Claim => {
  const take = createClaim({ ...ports, claim, apply });
  return async (request) => {
    const queued = request.executionIds.filter((id) => !isInMemory(id));
    if (queued.length > 0) onQueued(queued);
    const claimed = await take(request);
    onClaimed(claimed.executions);
    budget.left(claimed.executions);
    return claimed;
  };
};
