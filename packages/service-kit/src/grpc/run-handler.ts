import { status as GrpcCode } from '@grpc/grpc-js';
import { withContext } from '../context';
import { toServiceError, type ServiceError } from '../errors';
import type { Logger } from '../logging';
import type { Admission } from './admission';
import { codeOf, reportFailure } from './error-status';
import type { CallContext } from './types';

/** An admitted call that a handler is to answer. */
export interface AdmittedCall {
  /** Path of its method. */
  readonly path: string;
  readonly admission: Admission;
  /** Made only when a handler reads it. */
  readonly signal: () => AbortSignal;
  readonly logger: Logger;
}

/**
 * Runs the handler of an admitted call within the context of the call. The only place where thrown errors become
 * failures of calls.
 * @param work resolves when the call is answered
 * @param fail answers the call with a failure
 */
export const runHandler = (
  { path, admission, signal, logger }: AdmittedCall,
  work: (context: CallContext) => Promise<void>,
  fail: (error: ServiceError) => void,
): void => {
  const { deadline, served, span, clientAddress, ...caller } = admission;
  const known = {
    ...(span === undefined ? {} : { span }),
    ...(clientAddress === undefined ? {} : { clientAddress }),
  };
  withContext({ requestId: caller.requestId, deadline, ...known }, () => {
    const done = async (): Promise<void> => {
      await work({
        ...caller,
        get signal() {
          return signal();
        },
      });
      served(GrpcCode.OK);
    };
    done().catch((error: unknown) => {
      const failure = toServiceError(error);
      reportFailure(logger, path, failure);
      served(codeOf(failure));
      fail(failure);
    });
  });
};
