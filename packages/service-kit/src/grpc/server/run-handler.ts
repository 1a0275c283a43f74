import { status as GrpcCode } from '@grpc/grpc-js';
import { withContext } from '../../context';
import { toServiceError, type ServiceError } from '../../errors';
import type { Logger } from '../../logging';
import { reportRefusal, type Authentication } from './access';
import type { Admission } from './admission';
import { codeOf, reportFailure } from '../error-status';
import type { CallContext } from '../types';

/** An admitted call for a handler. */
export interface AdmittedCall {
  /** Path of the method. */
  readonly path: string;
  readonly admission: Admission;
  /** Created only when a handler reads it. */
  readonly signal: () => AbortSignal;
  readonly logger: Logger;
  readonly authentication: Pick<Authentication, 'onRefused'>;
}

/**
 * The context passed to a handler. A class, because V8 gives each object literal with an accessor a separate hidden
 * class, which refers to the accessor and is only freed when the whole heap is marked.
 */
class HandledCall implements CallContext {
  readonly requestId: string;
  readonly service: CallContext['service'];
  readonly principal: CallContext['principal'];
  readonly #signal: () => AbortSignal;

  constructor({ requestId, service, principal }: Admission, signal: () => AbortSignal) {
    this.requestId = requestId;
    this.service = service;
    this.principal = principal;
    this.#signal = signal;
  }

  get signal(): AbortSignal {
    return this.#signal();
  }
}

/**
 * Runs the handler of an admitted call within the context of the call. The only place where thrown errors become failed
 * calls.
 * @param work resolves when the call is answered
 * @param fail answers the call with an error
 */
export const runHandler = (
  { path, admission, signal, logger, authentication }: AdmittedCall,
  work: (context: CallContext) => Promise<void>,
  fail: (error: ServiceError) => void,
): void => {
  const { requestId, deadline, served, span, clientAddress } = admission;
  const known = {
    ...(span === undefined ? {} : { span }),
    ...(clientAddress === undefined ? {} : { clientAddress }),
  };
  withContext({ requestId, deadline, ...known }, () => {
    const done = async (): Promise<void> => {
      await work(new HandledCall(admission, signal));
      served(GrpcCode.OK);
    };
    done().catch(async (error: unknown) => {
      const failure = toServiceError(error);
      reportFailure(logger, path, failure);
      await reportRefusal(authentication, admission.principal, path, failure);
      served(codeOf(failure));
      fail(failure);
    });
  });
};
