import { status as GrpcCode, type StatusObject } from '@grpc/grpc-js';
import type { TunnelledAnswer, TunnelledCall } from '@weft/proto/calls';
import { withContext } from '../../context';
import { Forbidden, InvalidRequest, toServiceError, type ServiceError } from '../../errors';
import { InFlightSet } from '../../in-flight';
import type { Logger } from '../../logging';
import { authenticateService, authorise, reportRefusal, type Authentication } from './access';
import { boundedAddress, requestIdOf, traced, type Admission } from './admission';
import type { UnaryMethod } from './bind-service';
import { codeOf, reportFailure, toGrpcStatus, toRpcStatus } from '../error-status';
import { createFrames } from '../client/frames';
import { runHandler } from './run-handler';

/** A method whose calls can be tunnelled. */
export interface TunnelledMethod extends UnaryMethod {
  /** Starts timing a call. @returns a function that counts it by its response code */
  readonly startTiming: () => (code: number) => void;
}

export interface TunnelledCallsOptions {
  readonly methods: ReadonlyMap<string, TunnelledMethod>;
  readonly authentication: Authentication;
  readonly logger: Logger;
  /** The service that opened the stream. */
  readonly caller: string | undefined;
  /** Sends responses. */
  readonly write: (answers: TunnelledAnswer[]) => void;
  /** Called when calls were answered. */
  readonly onAnswered: () => void;
}

/** The tunnelled calls of one stream. */
export interface TunnelledCalls {
  /** Executes a call and answers it. */
  readonly begin: (call: TunnelledCall) => void;
  /** Number of calls without a response. */
  readonly underWay: () => number;
  /** The stream has ended: handlers learn that their callers are gone. */
  readonly giveUp: () => void;
  /** Status for a stream whose call numbers do not increase. */
  readonly outOfOrder: (number: number) => StatusObject;
}

/** Maximum deadline of a call, in milliseconds: a larger timer delay would overflow. */
const MAX_TIMEOUT_MS = 3_600_000;

/** The signal of a call, created when a handler reads it. */
interface CallSignal {
  readonly get: () => AbortSignal;
  readonly abort: () => void;
  /** Releases the signal once it is no longer needed. */
  readonly close: () => void;
}

const createSignal = (deadline: number): CallSignal => {
  let controller: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isAborted = false;
  const abort = (): void => {
    isAborted = true;
    controller?.abort();
  };
  return {
    get: () => {
      controller ??= new AbortController();
      if (isAborted) controller.abort();
      else timer ??= setTimeout(abort, Math.max(0, deadline - performance.now()));
      return controller.signal;
    },
    abort,
    close: () => clearTimeout(timer),
  };
};

/** The response to a call of an unknown method. */
const notTunnelled = (number: number): TunnelledAnswer => ({
  number,
  result: {
    $case: 'failure',
    value: { code: GrpcCode.UNIMPLEMENTED, message: 'Calls of this method are not tunnelled.', details: [] },
  },
});

const sizeOf = ({ result }: TunnelledAnswer): number => (result?.$case === 'response' ? result.value.length : 0);

export const createTunnelledCalls = ({
  methods,
  authentication,
  logger,
  caller,
  write,
  onAnswered,
}: TunnelledCallsOptions): TunnelledCalls => {
  const signals = new InFlightSet<CallSignal>();
  let underWay = 0;
  const answer = createFrames<TunnelledAnswer>(
    sizeOf,
    (answers) => {
      underWay -= answers.length;
      write(answers);
    },
    onAnswered,
  );
  const fail = (number: number, error: ServiceError): void =>
    answer({ number, result: { $case: 'failure', value: toRpcStatus(error) } });

  /** @throws Unauthorized, Forbidden */
  const admit = (call: TunnelledCall, rule: UnaryMethod['rule'], served: Admission['served']): Admission => {
    const identity = authenticateService(call.token, call.method, authentication);
    if (identity.service !== caller) throw new Forbidden('The stream was opened by another service.');
    const context = {
      requestId: requestIdOf(call.requestId),
      deadline: performance.now() + Math.min(call.timeoutMs, MAX_TIMEOUT_MS),
      ...(call.clientAddress === undefined ? {} : { clientAddress: boundedAddress(call.clientAddress) }),
    };
    try {
      authorise(identity, rule);
    } catch (error) {
      withContext(context, () => {
        void reportRefusal(authentication, identity.principal, call.method, toServiceError(error));
      });
      throw error;
    }
    return {
      ...identity,
      ...context,
      ...traced(call.method, call.traceparent, true, served),
    };
  };

  return {
    begin: (call) => {
      underWay += 1;
      const { number, method: path } = call;
      const bound = methods.get(path);
      if (bound === undefined) return answer(notTunnelled(number));
      const { method, rule, handle, startTiming } = bound;
      const served = startTiming();
      let admission: Admission;
      try {
        admission = admit(call, rule, served);
      } catch (error) {
        const refusal = toServiceError(error);
        reportFailure(logger, path, refusal);
        served(codeOf(refusal));
        return fail(number, refusal);
      }
      const signal = createSignal(admission.deadline);
      const leave = signals.add(signal);
      const close = (): void => {
        leave();
        signal.close();
      };
      runHandler(
        { path, admission, signal: signal.get, logger, authentication },
        async (context) => {
          const response = await handle(method.requestDeserialize(call.request), context);
          answer({ number, result: { $case: 'response', value: method.responseSerialize(response) } });
          close();
        },
        (error) => {
          fail(number, error);
          close();
        },
      );
    },
    underWay: () => underWay,
    giveUp: () => {
      for (const signal of signals) signal.abort();
    },
    outOfOrder: (number) =>
      toGrpcStatus(
        new InvalidRequest('The numbers of calls must grow.', [
          { field: 'calls.number', message: `${number} does not grow` },
        ]),
      ),
  };
};
