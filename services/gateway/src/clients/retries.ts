import { RetryServiceService } from '@weft/proto/retries';
import { createCaller, type Caller } from '@weft/service-kit/grpc';
import type { Peer } from './peer';

/** What the gateway asks about retries of executions. */
export type RetriesClient = Caller<typeof RetryServiceService>;

/**
 * Connects to the executions service, which serves retries. Every call is safe to repeat: the gateway gives each a key.
 */
export const createRetriesClient = (peer: Peer): RetriesClient =>
  createCaller(RetryServiceService, {
    service: 'executions',
    ...peer,
    retried: ['retryExecution', 'startRetryJob', 'getRetryJob', 'listRetryJobs', 'cancelRetryJob'],
  });
