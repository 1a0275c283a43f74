import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Settings of a flood. */
export interface FloodOptions {
  readonly baseUrls: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
  /** Webhooks, called in turn. */
  readonly paths: readonly string[];
  /** Body of each request. */
  readonly bodyBytes: number;
}

/** Result of a flood. */
export interface Flooded {
  readonly offered: number;
  /**
   * Of those, the number that found no free connection: clients do not send on connections that wait for an answer.
   */
  readonly notSent: number;
  /** Answers by status; `broken` for connections that ended before their answer. */
  readonly counts: Readonly<Record<string, number>>;
  /** Idempotency keys of the starts that were accepted. */
  readonly accepted: readonly string[];
  /** The first of the answers that are neither success, nor 429, nor 503 with Retry-After. */
  readonly odd: readonly string[];
}

/**
 * Sends at that rate whatever the answers are, from a separate thread over many connections, and reports the
 * result.
 */
export const startFlood = (options: FloodOptions): Promise<Flooded> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(join(__dirname, 'flood-worker.js'), { workerData: options });
    worker.once('message', (flooded: Flooded) => resolve(flooded));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The flood ended with ${code} before it told its figures.`)));
  });
