import autocannon from 'autocannon';

/** Requests to send. */
export interface Load {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  /** How many requests in all; bounds the run in count. */
  readonly amount: number;
}

/** What came of them. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 2xx, and requests without an answer. */
  readonly failed: number;
}

const MOST_SECONDS = 120;

/** Sends a bounded number of requests over kept connections, as fast as they are answered. */
export const applyLoad = async (load: Load): Promise<LoadResult> => {
  const began = performance.now();
  const result = await autocannon({
    url: load.url,
    method: load.method ?? 'GET',
    headers: { ...load.headers },
    ...(load.body === undefined ? {} : { body: load.body }),
    connections: load.connections,
    amount: load.amount,
    maxOverallRequests: load.amount,
    timeout: MOST_SECONDS,
    workers: 0,
  });
  const seconds = (performance.now() - began) / 1000;
  return { perSecond: load.amount / seconds, p50Ms: result.latency.p50, p99Ms: result.latency.p99, failed: result.non2xx + result.errors };
};
