import type { Held } from './held-executions';
import { retryWhileHeld } from './retry-while-held';
import type { Databases, MailSender, OutboundHttp, RemoteServers } from '@weft/outbound';

/**
 * Tracks whether the node that runs now may have been seen from outside: then it is not to run a second time
 * without need.
 */
export interface Outside {
  /** Another node begins. */
  readonly begin: () => void;
  readonly hasActed: () => boolean;
  /** The ways out of the run, watched. */
  readonly http: (http: OutboundHttp) => OutboundHttp;
  readonly mail: (mail: MailSender) => MailSender;
  readonly databases: (databases: Databases) => Databases;
  readonly remote: (remote: RemoteServers) => RemoteServers;
}

/** Watches the ways out of one run. */
export const watchOutside = (): Outside => {
  let hasActed = false;
  const acting =
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
    http: (http) => ({ request: acting((request) => http.request(request)) }),
    mail: (mail) => ({ send: acting((...sending) => mail.send(...sending)) }),
    databases: ({ postgres, mysql, redis, mongo }) => ({
      postgres: acting(postgres),
      mysql: acting(mysql),
      redis: acting(redis),
      mongo: acting(mongo),
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
 * Calls another service for a run; `call` gets the number of tries before.
 * @throws the refusal of the service, or the last error once the run is aborted
 */
export type Reach = <Result>(call: (triesBefore: number) => Promise<Result>) => Promise<Result>;

/**
 * The one rule for everything that a run asks of other services: infrastructure fails no node. A call is repeated until
 * it is answered. If that takes longer than `releaseAfterMs`, the run is released: it goes back into the queue without
 * a crash point, and the node runs again later. A node that has sent something to the outside is not released: it waits
 * on as long as the claim and the time limit of the run hold, since to run it again would send that again.
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
