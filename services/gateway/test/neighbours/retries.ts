import { RetryServiceService } from '@weft/proto/retries';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { createFake } from './fake';

const write = { users: 'executions:write' as const };
const access = { retryExecution: write };

/** The retries of an executions service that knows the execution `failed`. */
export const fakeRetries = () => {
  const fake = createFake();
  const handlers: Handlers<typeof RetryServiceService> = {
    retryExecution: (request, context) => fake.act('retryExecution', request, context, () => {
      const { executionId } = request;
      if (executionId !== 'failed') throw new ServiceError({ reason: 'EXECUTION_NOT_FOUND', kind: 'not-found', message: `No execution has id ${executionId}.`, details: { executionId } });
      return { started: { executionId: 'again', existing: false, answer: undefined, ended: undefined } };
    }),
  };
  return { ...fake, bound: bindService(RetryServiceService, handlers, access) };
};
