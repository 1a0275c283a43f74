import autocannon from 'autocannon';

/** Requests to send. */
export interface Load {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  /** Total number of requests; bounds the run in count. */
  readonly amount: number;
}

/** Results of the requests. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 2xx, and requests without an answer. */
  readonly failed: number;
}

const MAX_SECONDS = 120;

/** A load that is under way. */
export interface RunningLoad {
  /** Resolves with the last answer: the time by `performance.now()`. */
  readonly answered: Promise<number>;
  /** Resolves up to a second later: autocannon ends at a full second. */
  readonly result: Promise<LoadResult>;
}

/** Sends a bounded number of requests over persistent connections, as fast as they are answered. */
export const startLoad = (load: Load): RunningLoad => {
  const began = performance.now();
  let lastAnswer = began;
  let answers = 0;
  let onAnswered: (time: number) => void = () => undefined;
  const answered = new Promise<number>((resolve) => {
    onAnswered = resolve;
  });
  const options = {
    url: load.url,
    method: load.method ?? 'GET',
    headers: { ...load.headers },
    ...(load.body === undefined ? {} : { body: load.body }),
    connections: load.connections,
    amount: load.amount,
    maxOverallRequests: load.amount,
    timeout: MAX_SECONDS,
    workers: 0,
  } as const;
  const result = new Promise<LoadResult>((resolve, reject) => {
    const run = autocannon(options, (error: unknown, { latency, non2xx, errors }) => {
      onAnswered(lastAnswer);
      if (error !== null && error !== undefined) reject(error instanceof Error ? error : new Error(String(error)));
      else
        resolve({
          perSecond: load.amount / ((lastAnswer - began) / 1000),
          p50Ms: latency.p50,
          p99Ms: latency.p99,
          failed: non2xx + errors,
        });
    });
    run.on('response', () => {
      lastAnswer = performance.now();
      answers += 1;
      if (answers === load.amount) onAnswered(lastAnswer);
    });
  });
  return { answered, result };
};

/** The same, to its end. */
export const applyLoad = (load: Load): Promise<LoadResult> => startLoad(load).result;
