import type { Share } from '../read/sweep-ports';
import type { Clock } from '../state/ports';
import type { KnownSubscriptions } from './known-subscriptions';
import type { NotificationStore } from './notification';
import type { SendDue } from './send-due';
import { MAX_UNDELIVERED, type EventSubscription, type SubscriptionStore } from './subscription';

/** Maximum number of subscriptions that one replica sends for at a time, and maximum of these that fail. */
export const MAX_SENDING = 16;
export const MAX_SENDING_FAILED = 8;

/** Milliseconds between two looks for due notifications of a subscription without hints. */
const RECHECK_MS = 5_000;

/** Milliseconds between two counts of the notifications of a subscription that is behind. */
const COUNT_MS = 5_000;

const MAX_PAUSE_MS = 30_000;

/** Milliseconds without requests after consecutive failures: none after the first, then 1 s, doubling up to 30 s. */
export const failurePauseMs = (failures: number): number =>
  failures <= 1 ? 0 : Math.min(MAX_PAUSE_MS, 1_000 * 2 ** Math.min(failures - 2, 10));

/** Ports of the senders. */
export interface SenderPorts {
  readonly subscriptions: Pick<KnownSubscriptions, 'all' | 'get'> & Pick<SubscriptionStore, 'pause'>;
  readonly notifications: Pick<NotificationStore, 'countPending'>;
  readonly sendDue: SendDue;
  readonly share: Share;
  /** Called when a subscription has been paused. */
  readonly onChanged: (subscriptionId: string) => Promise<void>;
  /** Called with the error of a pass; it is repeated later. */
  readonly onError: (error: unknown, subscriptionId: string) => void;
  /** Monotonic milliseconds. */
  readonly monotonic: Clock;
  readonly clock: Clock;
}

/** Sends the notifications of the subscriptions that this replica is responsible for. */
export interface Senders {
  /** A subscription has due notifications. */
  readonly wake: (subscriptionId: string) => void;
  /** To be called every second: starts what is due, and pauses subscriptions that are too far behind. */
  readonly tick: () => Promise<void>;
  /** Starts nothing more; resolves when no request is in progress. */
  readonly stop: () => Promise<void>;
}

/** State of sending for one subscription at this replica. */
interface Sender {
  failures: number;
  /** No request is sent before. */
  notBefore: number;
  /** The next look without a hint. */
  recheckAt: number;
  isBehind: boolean;
  countedAt: number;
  isWoken: boolean;
}

/**
 * Runs one pass after the other for each subscription, so that there is at most one request at a time, and passes of at
 * most 16 subscriptions at once. Failing ones use at most half of these places, whatever they do. After a pass, the
 * others come first.
 */
export class NotificationSenders implements Senders {
  readonly #senders = new Map<string, Sender>();
  readonly #running = new Map<string, Promise<void>>();
  /** Subscriptions that are ready for a pass, in the order in which they became ready. */
  readonly #ready = new Set<string>();
  readonly #failing = new Set<string>();
  #isStopping = false;

  constructor(private readonly ports: SenderPorts) {}

  readonly wake = (subscriptionId: string): void => {
    const subscription = this.ports.subscriptions.get(subscriptionId);
    if (subscription === undefined || !this.#isOwn(subscription)) return;
    const sender = this.#senderOf(subscriptionId);
    sender.isWoken = true;
    if (this.#running.has(subscriptionId) || this.ports.monotonic() < sender.notBefore) return;
    this.#ready.add(subscriptionId);
    this.#pump();
  };

  readonly tick = async (): Promise<void> => {
    const own = this.ports.subscriptions.all().filter((one) => this.#isOwn(one));
    const ids = new Set(own.map(({ id }) => id));
    for (const id of this.#senders.keys()) if (!ids.has(id) && !this.#running.has(id)) this.#senders.delete(id);
    const now = this.ports.monotonic();
    for (const { id } of own) {
      const sender = this.#senderOf(id);
      if (this.#running.has(id) || now < sender.notBefore) continue;
      if (sender.isWoken || now >= sender.recheckAt) this.#ready.add(id);
    }
    this.#pump();
    await this.#pauseBacklogs(own, now);
  };

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#ready.clear();
    await Promise.all(this.#running.values());
  }

  #isOwn({ id, pause }: EventSubscription): boolean {
    return pause === undefined && this.ports.share.isMine(id);
  }

  #senderOf(id: string): Sender {
    const known = this.#senders.get(id);
    if (known !== undefined) return known;
    const sender = {
      failures: 0,
      notBefore: Number.NEGATIVE_INFINITY,
      recheckAt: Number.NEGATIVE_INFINITY,
      isBehind: false,
      countedAt: Number.NEGATIVE_INFINITY,
      isWoken: false,
    };
    this.#senders.set(id, sender);
    return sender;
  }

  #pump(): void {
    if (this.#isStopping || this.#ready.size === 0) return;
    for (const id of this.#ready) {
      if (this.#running.size >= MAX_SENDING) return;
      const subscription = this.ports.subscriptions.get(id);
      if (subscription === undefined || !this.#isOwn(subscription)) {
        this.#ready.delete(id);
        continue;
      }
      const sender = this.#senderOf(id);
      const isFailing = subscription.failingSince !== undefined || sender.failures > 0;
      if (isFailing && this.#failing.size >= MAX_SENDING_FAILED) continue;
      this.#ready.delete(id);
      if (isFailing) this.#failing.add(id);
      this.#running.set(id, this.#run(subscription, sender));
    }
  }

  async #run(subscription: EventSubscription, sender: Sender): Promise<void> {
    const { id } = subscription;
    const { sendDue, onError, monotonic } = this.ports;
    sender.isWoken = false;
    let mayHaveMore = false;
    try {
      const outcome = await sendDue(subscription, () => this.#isStopping);
      if (outcome.kind === 'unavailable') throw outcome.error;
      if (outcome.kind === 'delivered') sender.failures = 0;
      if (outcome.kind === 'failed') sender.failures += 1;
      mayHaveMore = outcome.kind !== 'idle' && outcome.mayHaveMore;
      sender.isBehind = mayHaveMore;
      sender.notBefore = monotonic() + failurePauseMs(sender.failures);
    } catch (error) {
      onError(error, id);
      sender.failures += 1;
      sender.isBehind = true;
      sender.notBefore = monotonic() + failurePauseMs(sender.failures + 1);
    }
    this.#running.delete(id);
    this.#failing.delete(id);
    sender.recheckAt = monotonic() + RECHECK_MS;
    sender.isWoken ||= mayHaveMore;
    if (sender.isWoken && monotonic() >= sender.notBefore && !this.#isStopping) this.#ready.add(id);
    this.#pump();
  }

  async #pauseBacklogs(own: readonly EventSubscription[], now: number): Promise<void> {
    const { notifications, subscriptions, onChanged, clock } = this.ports;
    for (const { id } of own) {
      const sender = this.#senderOf(id);
      if (!sender.isBehind || now < sender.countedAt + COUNT_MS) continue;
      sender.countedAt = now;
      if ((await notifications.countPending(id, MAX_UNDELIVERED)) < MAX_UNDELIVERED) continue;
      if (await subscriptions.pause(id, { reason: 'backlog', at: new Date(clock()) })) await onChanged(id);
    }
  }
}
