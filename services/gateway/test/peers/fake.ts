import { remainingMs } from '@weft/service-kit/context';
import { Unavailable, type ServiceError } from '@weft/service-kit/errors';
import type { CallContext } from '@weft/service-kit/grpc';

/** A call received by a fake. */
export interface SeenCall {
  readonly method: string;
  readonly request: unknown;
  readonly service: string | undefined;
  readonly userId: string | undefined;
  readonly requestId: string;
  /** Milliseconds until the caller's deadline when it arrived. */
  readonly leftMs: number;
}

/** Controls of a fake. */
export interface Fake {
  readonly seen: SeenCall[];
  /** Calls of that method, in order. */
  readonly callsOf: (method: string) => SeenCall[];
  /** Makes the method fail with this error; undefined: succeed again. */
  readonly fail: (method: string, error: ServiceError | undefined) => void;
  /** Lets the method respond that many more times; after that it is unavailable. */
  readonly failAfter: (method: string, answers: number) => void;
  /** Blocks the method until the returned function is called. */
  readonly hold: (method: string) => () => void;
  /** Wraps every handler. */
  readonly act: <Result>(
    method: string,
    request: unknown,
    context: CallContext,
    answer: () => Result,
  ) => Promise<Result>;
}

/** Records calls, and lets tests make them fail or block. */
export const createFake = (): Fake => {
  const seen: SeenCall[] = [];
  const failures = new Map<string, ServiceError>();
  const budgets = new Map<string, number>();
  const gates = new Map<string, Promise<void>>();
  return {
    seen,
    callsOf: (method) => seen.filter((call) => call.method === method),
    fail: (method, error) => {
      if (error === undefined) failures.delete(method);
      else failures.set(method, error);
    },
    failAfter: (method, answers) => {
      budgets.set(method, answers);
    },
    hold: (method) => {
      let open = (): void => undefined;
      gates.set(
        method,
        new Promise((resolve) => {
          open = resolve;
        }),
      );
      return () => {
        gates.delete(method);
        open();
      };
    },
    act: async (method, request, context, answer) => {
      seen.push({
        method,
        request,
        service: context.service,
        userId: context.principal?.userId,
        requestId: context.requestId,
        leftMs: remainingMs(Number.POSITIVE_INFINITY),
      });
      await gates.get(method);
      const failure = failures.get(method);
      if (failure !== undefined) throw failure;
      const budget = budgets.get(method);
      if (budget !== undefined) budgets.set(method, budget - 1);
      if (budget !== undefined && budget <= 0) throw new Unavailable('Enough.');
      return answer();
    },
  };
};
