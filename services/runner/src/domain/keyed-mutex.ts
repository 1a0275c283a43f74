/** Longest wait for a turn. Work continues without it then: turns save work, and nothing depends on them. */
const WAIT_MS = 10_000;

/**
 * Serializes work on the same key within this process, where concurrent work would only obstruct itself.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work once earlier work with the same key is done, or after ten seconds. */
  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key);
    const { promise: done, resolve: end } = withResolver();
    const mine = Promise.all([before, done]);
    this.#last.set(key, mine);
    try {
      if (before !== undefined) await atMost(before, WAIT_MS);
      return await work();
    } finally {
      end();
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: () => resolve() };
}

async function atMost(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, limit]);
  clearTimeout(timer);
}
