import { type BoundedCache, createBoundedCache } from '@weft/service-kit/caching';

/** A token issued by a server. */
export interface AccessToken {
  readonly value: string;
  /** Unix milliseconds after which it is no longer used; undefined if unknown. */
  readonly until: number | undefined;
}

/** Caches the tokens of this process, by credential. The least recently used are evicted first. */
export class TokenCache {
  readonly #kept: BoundedCache<string, Promise<AccessToken>>;

  constructor(max: number) {
    this.#kept = createBoundedCache({ maxEntries: max });
  }

  /**
   * The token under a key, or the result of `fetch`, which is called once for all concurrent callers. A failed fetch is
   * not cached.
   */
  get(key: string, now: number, fetch: () => Promise<AccessToken>): Promise<AccessToken> {
    const present = this.#kept.get(key);
    const next =
      present === undefined
        ? fetch()
        : present.then((token) => (token.until !== undefined && token.until <= now ? fetch() : token));
    return this.#keep(key, next);
  }

  /** Replaces a token that the server rejected, unless another caller has already fetched a new one. */
  replace(key: string, refused: AccessToken, fetch: () => Promise<AccessToken>): Promise<AccessToken> {
    const present = this.#kept.get(key) ?? Promise.resolve(refused);
    return this.#keep(
      key,
      present.then((token) => (token.value === refused.value ? fetch() : token)),
    );
  }

  #keep(key: string, next: Promise<AccessToken>): Promise<AccessToken> {
    this.#kept.set(key, next);
    next.catch(() => {
      if (this.#kept.get(key) === next) this.#kept.delete(key);
    });
    return next;
  }
}
