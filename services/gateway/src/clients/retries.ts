import { RetryServiceService } from '@weft/proto/retries';
import { createCaller, type Caller } from '@weft/service-kit/grpc';
import type { Neighbour } from './neighbour';

/** What the gateway asks about retries of executions. */
export type RetriesClient = Caller<typeof RetryServiceService>;

/**
 * Connects to the executions service, which serves retries. Every call is safe to repeat: the gateway gives each a key.
 */
export const createRetriesClient = (neighbour: Neighbour): RetriesClient =>
  createCaller(RetryServiceService, {
    service: 'executions',
    ...neighbour,
    retried: ['retryExecution', 'startRetryJob', 'getRetryJob', 'listRetryJobs', 'cancelRetryJob'],
  });
