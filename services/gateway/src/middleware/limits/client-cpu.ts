import { clientBlock } from '@weft/service-kit/auth';
import { currentContext, type RequestContext } from '@weft/service-kit/context';
import { performance } from 'node:perf_hooks';
import { ClientOverShare } from '../../errors';

/** Part of the thread's CPU that one address block may use while the thread is busy and others compete for it. */
const SHARE = 1 / 4;
/** Past use counts less over time: half of it after 0.7 of this time. */
const MEMORY_MS = 2_000;
/** Minimum CPU of the thread in that time for computing shares: on a busy machine it gets little. */
const MIN_TOTAL_MS = 200;
/** Utilization of the event loop from which the thread counts as busy, measured over at least `SAMPLE_MS`. */
const BUSY = 0.9;
const SAMPLE_MS = 50;
/** Requests of one block that may wait for its share, and for how long. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 5_000;
const CHECK_MS = 20;
/** Blocks that are remembered. */
const MAX_BLOCKS = 10_000;

interface Waiting {
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** CPU that was used, with past use discounted. */
interface Use {
  usedMs: number;
  /** Time to which `usedMs` is discounted. */
  at: number;
}

/** One address block. */
interface Account extends Use {
  readonly waiting: Waiting[];
}

/** Measurements that a test may replace. */
export interface Measures {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Milliseconds of CPU that this thread has used. */
  readonly cpuMs: () => number;
  /** Utilization of the event loop since the last call, from 0 to 1. */
  readonly utilization: () => number;
}

const measures = (): Measures => {
  let last = performance.eventLoopUtilization();
  return {
    now: () => performance.now(),
    cpuMs: () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    },
    utilization: () => {
      const current = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(current, last);
      last = current;
      return utilization;
    },
  };
};

/**
 * Accounts the CPU of this thread that callers without a key use, by their address block. While the thread is busy and
 * others want it too, requests of a block that has had its share wait; a block with many waiting requests is answered
 * with 503. Without competition no request waits.
 */
export class ClientCpu {
  readonly #measures: Measures;
  readonly #accounts = new Map<string, Account>();
  readonly #requests = new WeakMap<RequestContext, Account>();
  readonly #total: Use;
  #current: Account | undefined;
  #since: number;
  #isEndScheduled = false;
  #isBusy = false;
  #sampledAt: number;
  /** Time of the last request with a key. */
  #keyAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(given: Measures = measures()) {
    this.#measures = given;
    this.#sampledAt = given.now();
    this.#since = given.cpuMs();
    this.#total = { usedMs: 0, at: this.#sampledAt };
  }

  /** Counts the work that follows for this client, until other work begins or the event loop continues. */
  begin(client: string): void {
    const account = this.#accountOf(clientBlock(client));
    const context = currentContext();
    if (context !== undefined) this.#requests.set(context, account);
    this.#switchTo(account);
  }

  /** Counts the work that follows for the client of the current request, which has waited for something. */
  resume(): void {
    const context = currentContext();
    this.#switchTo(context === undefined ? undefined : this.#requests.get(context));
  }

  /** Stops counting: the work that follows is for a caller with a key. */
  beginWithKey(): void {
    this.#keyAt = this.#measures.now();
    this.#switchTo(undefined);
  }

  /**
   * Waits until a request of this client may continue; undefined if it may now.
   * @throws ClientOverShare if too many of its block wait, or one waits for too long
   */
  admit(client: string): Promise<void> | undefined {
    const account = this.#accountOf(clientBlock(client));
    if (account.waiting.length === 0 && this.#mayGoOn(account)) return undefined;
    if (account.waiting.length >= MAX_WAITING) throw new ClientOverShare();
    return new Promise((resolve, reject) => {
      account.waiting.push({ since: this.#measures.now(), resolve, reject });
      this.#timer ??= setInterval(() => this.#release(), CHECK_MS);
    });
  }

  #switchTo(account: Account | undefined): void {
    const cpuMs = this.#measures.cpuMs();
    const last = this.#current;
    this.#total.usedMs = this.#usedBy(this.#total) + cpuMs - this.#since;
    if (last !== undefined) last.usedMs = this.#usedBy(last) + cpuMs - this.#since;
    this.#current = account;
    this.#since = cpuMs;
    if (account === undefined || this.#isEndScheduled) return;
    this.#isEndScheduled = true;
    setImmediate(() => {
      this.#isEndScheduled = false;
      this.#switchTo(undefined);
    });
  }

  #accountOf(block: string): Account {
    const known = this.#accounts.get(block);
    if (known !== undefined) return known;
    if (this.#accounts.size >= MAX_BLOCKS) this.#forgetIdle();
    const account: Account = { usedMs: 0, at: this.#measures.now(), waiting: [] };
    this.#accounts.set(block, account);
    return account;
  }

  #forgetIdle(): void {
    for (const [block, account] of this.#accounts)
      if (account.waiting.length === 0 && account !== this.#current && this.#usedBy(account) < 1)
        this.#accounts.delete(block);
    // If all blocks are active, the use of the oldest is forgotten.
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size >= MAX_BLOCKS && oldest !== undefined) this.#accounts.delete(oldest);
  }

  #usedBy(use: Use): number {
    const now = this.#measures.now();
    use.usedMs *= Math.exp((use.at - now) / MEMORY_MS);
    use.at = now;
    return use.usedMs;
  }

  #mayGoOn(account: Account): boolean {
    const most = SHARE * Math.max(MIN_TOTAL_MS, this.#usedBy(this.#total));
    return this.#usedBy(account) <= most || !this.#isThreadBusy() || !this.#hasOthers(account);
  }

  #isThreadBusy(): boolean {
    const now = this.#measures.now();
    if (now - this.#sampledAt >= SAMPLE_MS) {
      this.#isBusy = this.#measures.utilization() >= BUSY;
      this.#sampledAt = now;
    }
    return this.#isBusy;
  }

  /** True if another sender wants the thread: a caller with a key, or one of another block. */
  #hasOthers(account: Account): boolean {
    if (this.#measures.now() - this.#keyAt < MEMORY_MS) return true;
    for (const other of this.#accounts.values())
      if (other !== account && (other.waiting.length > 0 || this.#usedBy(other) > 1)) return true;
    return false;
  }

  #release(): void {
    const now = this.#measures.now();
    let isEmpty = true;
    for (const account of this.#accounts.values()) {
      while ((account.waiting[0]?.since ?? now) + MAX_WAIT_MS < now)
        account.waiting.shift()?.reject(new ClientOverShare());
      // One at a time: its cost is known only afterwards.
      if (account.waiting.length > 0 && this.#mayGoOn(account)) account.waiting.shift()?.resolve();
      isEmpty &&= account.waiting.length === 0;
    }
    if (!isEmpty) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
