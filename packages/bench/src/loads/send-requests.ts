import autocannon from 'autocannon';
import { percentile } from '../statistics';

/** Requests to send over persistent connections, each the next one as soon as its last one is answered. */
export interface Requests {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  /** Paths that a connection requests in rotation, instead of that of the URL. @param connection from 0 */
  readonly pathsOf?: (connection: number) => readonly string[];
}

/** Bounds the requests: by number, or by time, after which requests in progress are abandoned. */
export type Bound = { readonly amount: number } | { readonly seconds: number };

/** Results of the requests. */
export interface Answers {
  readonly count: number;
  /** From the first request to the last answer. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 2xx, and requests without an answer. */
  readonly failed: number;
}

const MAX_SECONDS = 300;
/** Interval at which autocannon checks whether it is done, in milliseconds. */
const SAMPLE_MS = 20;

const optionsOf = ({ url, method, headers, body, connections, pathsOf }: Requests, bound: Bound) => {
  let connection = 0;
  return {
    url,
    method: method ?? 'GET',
    headers: { ...headers },
    ...(body === undefined ? {} : { body }),
    connections,
    ...('amount' in bound ? { amount: bound.amount } : { duration: bound.seconds }),
    ...(pathsOf === undefined
      ? {}
      : {
          setupClient: (client: autocannon.Client): void => {
            client.setRequests(pathsOf(connection).map((path) => ({ path })));
            connection += 1;
          },
        }),
    timeout: MAX_SECONDS,
    sampleInt: SAMPLE_MS,
  };
};

/** Sends requests as fast as they are answered. */
export const sendRequests = (requests: Requests, bound: Bound): Promise<Answers> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const times: number[] = [];
    let lastAnswer = began;
    const run = autocannon(optionsOf(requests, bound), (error: unknown, { non2xx, errors }) => {
      if (error !== null && error !== undefined)
        return reject(error instanceof Error ? error : new Error(String(error)));
      resolve({
        count: times.length,
        perSecond: times.length / Math.max(0.001, (lastAnswer - began) / 1000),
        p50Ms: percentile(times, 0.5),
        p99Ms: percentile(times, 0.99),
        failed: non2xx + errors,
      });
    });
    run.on('response', (_client, _status, _bytes, responseMs) => {
      lastAnswer = performance.now();
      times.push(responseMs);
    });
  });
