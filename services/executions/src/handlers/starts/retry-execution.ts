import {
  RetryFrom,
  RetryVersion,
  type RetryOptions as OptionsMessage,
  type RetryServiceService,
} from '@weft/proto/retries';
import { mayDo } from '@weft/service-kit/auth';
import { Forbidden, InvalidRequest } from '@weft/service-kit/errors';
import type { CallContext, Handlers } from '@weft/service-kit/grpc';
import { withoutBom } from '@weft/service-kit/json';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../../compose';
import { retryKeyOf, type RetryOptions } from '../../domain/retries/retry-execution';
import { toStartedMessage } from './start-execution';

const fromOf = (from: RetryFrom): RetryOptions['from'] => {
  if (from === RetryFrom.RETRY_FROM_INPUT)
    throw new InvalidRequest('The retry is not valid.', [
      { field: 'options.from', message: 'must not be INPUT: each execution has its own input' },
    ]);
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

/** With an input, a retry is a start by its caller. @throws InvalidRequest, Forbidden */
const inputOf = (
  from: RetryFrom | undefined,
  input: Buffer | undefined,
  { principal }: CallContext,
): Buffer | undefined => {
  const isGiven = from === RetryFrom.RETRY_FROM_INPUT;
  if (isGiven !== (input !== undefined))
    throw new InvalidRequest('The retry is not valid.', [
      { field: 'input', message: isGiven ? 'is required' : 'must be absent unless the retry begins at the start' },
    ]);
  if (isGiven && principal !== undefined && !mayDo(principal, 'workflows:write'))
    throw new Forbidden('A retry with another input is a start, which requires the permission workflows:write.');
  return input === undefined ? undefined : withoutBom(input);
};

export const retryExecutionHandler =
  (useCases: Within): Handlers<typeof RetryServiceService>['retryExecution'] =>
  async ({ executionId, options, idempotencyKey, input: sent }, context) => {
    const { principal } = context;
    const input = inputOf(options?.from, sent, context);
    const { retry } = await scopedTo(useCases, context);
    const whole: OptionsMessage | undefined =
      input === undefined || options === undefined ? options : { ...options, from: RetryFrom.RETRY_FROM_START };
    const asked = {
      executionId,
      ...retryOptionsOf(whole),
      idempotencyKey: retryKeyOf(idempotencyKey, principal),
      ...(input === undefined ? {} : { input }),
    };
    return { started: toStartedMessage(await retry(asked, principal)) };
  };
