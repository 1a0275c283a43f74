import {
  RetryFrom,
  RetryVersion,
  type RetryOptions as OptionsMessage,
  type RetryServiceService,
} from '@weft/proto/retries';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../compose';
import { retryKeyOf, type RetryOptions } from '../domain/retries/retry-execution';
import { toStartedMessage } from './start-execution';

const fromOf = (from: RetryFrom): RetryOptions['from'] => {
  if (from === RetryFrom.RETRY_FROM_START) return 'start';
  if (from === RetryFrom.RETRY_FROM_UNSPECIFIED || from === RetryFrom.RETRY_FROM_FAILED_NODE) return 'failed-node';
  throw new InvalidRequest('The retry is not valid.', [
    { field: 'options.from', message: 'must be FAILED_NODE or START' },
  ]);
};

const versionOf = (version: RetryVersion): RetryOptions['version'] => {
  if (version === RetryVersion.RETRY_VERSION_CURRENT) return 'current';
  if (version === RetryVersion.RETRY_VERSION_UNSPECIFIED || version === RetryVersion.RETRY_VERSION_ORIGINAL)
    return 'original';
  throw new InvalidRequest('The retry is not valid.', [
    { field: 'options.version', message: 'must be ORIGINAL or CURRENT' },
  ]);
};

/**
 * Converts the options of a retry: by default from the failed node and with the original version.
 * @throws InvalidRequest
 */
export const retryOptionsOf = (options: OptionsMessage | undefined): RetryOptions => ({
  from: fromOf(options?.from ?? RetryFrom.RETRY_FROM_UNSPECIFIED),
  version: versionOf(options?.version ?? RetryVersion.RETRY_VERSION_UNSPECIFIED),
});

export const retryExecutionHandler =
  (useCases: Within): Handlers<typeof RetryServiceService>['retryExecution'] =>
  async ({ executionId, options, idempotencyKey }, context) => {
    const { principal } = context;
    const { retry } = await scopedTo(useCases, context);
    const asked = { executionId, ...retryOptionsOf(options), idempotencyKey: retryKeyOf(idempotencyKey, principal) };
    return { started: toStartedMessage(await retry(asked, principal)) };
  };
