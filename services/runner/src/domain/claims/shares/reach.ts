import type { Held } from '../held/held-executions';
import { retryWhileHeld } from '../held/retry-while-held';
import type { Databases, MailSender, OutboundHttp, OutboundStreams, RemoteServers } from '@weft/outbound';

/** Tracks whether the current node may have had external side effects: then it must not run again unnecessarily. */
export interface Outside {
  /** Begins the next node. */
  readonly begin: () => void;
  readonly hasActed: () => boolean;
  /** The egress routes of the run, with side effects tracked. */
  readonly http: (http: OutboundHttp) => OutboundHttp;
  readonly streams: (streams: OutboundStreams) => OutboundStreams;
  readonly mail: (mail: MailSender) => MailSender;
  readonly databases: (databases: Databases) => Databases;
  readonly remote: (remote: RemoteServers) => RemoteServers;
}

/** Tracks the egress routes of one run. */
export const watchOutside = (): Outside => {
  let hasActed = false;
  const sideEffecting =
    <Arguments extends unknown[], Result>(act: (...given: Arguments) => Result) =>
    (...given: Arguments): Result => {
      hasActed = true;
      return act(...given);
    };
  return {
    begin: () => {
      hasActed = false;
    },
    hasActed: () => hasActed,
    http: (http) => ({ request: sideEffecting((request) => http.request(request)) }),
    streams: (streams) => ({ stream: sideEffecting((request) => streams.stream(request)) }),
    mail: (mail) => ({ send: sideEffecting((...sending) => mail.send(...sending)) }),
    databases: ({ postgres, mysql, redis, mongo }) => ({
      postgres: sideEffecting(postgres),
      mysql: sideEffecting(mysql),
      redis: sideEffecting(redis),
      mongo: sideEffecting(mongo),
    }),
    // generic methods, which cannot be wrapped by the function above
    remote: (remote) => ({
      mailbox: (...opening) => {
        hasActed = true;
        return remote.mailbox(...opening);
      },
      ssh: (...opening) => {
        hasActed = true;
        return remote.ssh(...opening);
      },
      ftp: (...opening) => {
        hasActed = true;
        return remote.ftp(...opening);
      },
    }),
  };
};

/**
 * Calls another service for a run; `call` gets the number of earlier tries.
 * @throws the refusal of the service, or the last error once the run is aborted
 */
export type Reach = <Result>(call: (triesBefore: number) => Promise<Result>) => Promise<Result>;

/**
 * The rule for all calls of a run to other services: infrastructure never fails a node. A call is repeated until there
 * is a response. If that takes longer than `releaseAfterMs`, the run returns to the queue without increasing its crash
 * count, and the node runs again later. A run whose node has sent something out is not released, since the node would
 * send it again: the node waits as long as the claim and the time limit of the run hold.
 */
export const createReach =
  (
    held: Pick<Held, 'signal' | 'abort'>,
    outside: Pick<Outside, 'hasActed'>,
    releaseAfterMs: number,
    clock: () => number,
  ): Reach =>
  (call) => {
    const since = clock();
    let tries = 0;
    const onUnanswered = (): void => {
      if (clock() - since >= releaseAfterMs && !outside.hasActed() && !held.signal.aborted) held.abort('release');
    };
    return retryWhileHeld(() => call(tries++), held.signal, { until: held.signal, onUnanswered });
  };
