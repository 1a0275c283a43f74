import { type QueryBounds, QueryTooLarge } from '../databases/databases';

/** Counts what the server of one session sends. */
export class ByteMeter {
  #left: number;

  constructor(private readonly bounds: Pick<QueryBounds, 'maxBytes' | 'received'>) {
    this.#left = bounds.maxBytes;
  }

  /** Lets the server send as much as one query may once more. */
  reset(): void {
    this.#left = this.bounds.maxBytes;
  }

  /** Counts bytes that came. Returns why the session is over, or undefined. */
  take(bytes: number): Error | undefined {
    this.#left -= bytes;
    if (this.#left < 0) return new QueryTooLarge('bytes');
    return this.bounds.received?.(bytes);
  }
}
