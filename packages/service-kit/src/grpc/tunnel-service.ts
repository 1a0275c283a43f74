import type { ServerDuplexStream } from '@grpc/grpc-js';
import { CallStreamServiceService, type TunnelCallsRequest, type TunnelCallsResponse } from '@weft/proto/calls';
import type { Logger } from '../logging';
import type { AccessRule, Authentication } from './access';
import { admissionOf } from './admission';
import type { BoundService } from './bind-service';
import { createTunnelledCalls, type TunnelledMethod } from './tunnelled-calls';
import { timeServed } from './metrics';

type Call = ServerDuplexStream<TunnelCallsRequest, TunnelCallsResponse>;

/** Maximum unanswered calls of one stream. Reading pauses at this number. */
const MAX_UNDER_WAY = 2_000;

interface Serving {
  readonly methods: ReadonlyMap<string, TunnelledMethod>;
  readonly authentication: Authentication;
  readonly logger: Logger;
}

/** Serves one stream. @returns a function that asks its caller to end it */
const serveStream = (call: Call, { methods, authentication, logger }: Serving): (() => void) => {
  let hasEnded = false;
  let isBlocked = false;
  let last = 0;
  const proceed = (): void => {
    if (isBlocked || calls.underWay() >= MAX_UNDER_WAY) call.pause();
    else call.resume();
    if (hasEnded && calls.underWay() === 0) call.end();
  };
  const write = (response: TunnelCallsResponse): void => {
    if (call.cancelled || call.write(response) || isBlocked) return;
    // The caller is not reading, so stop reading from it.
    isBlocked = true;
    call.once('drain', () => {
      isBlocked = false;
      proceed();
    });
  };
  const calls = createTunnelledCalls({
    methods,
    authentication,
    logger,
    caller: admissionOf(call.metadata).service,
    write: (answers) => write({ answers, leaving: false }),
    onAnswered: proceed,
  });
  call.on('data', (frame: TunnelCallsRequest) => {
    for (const tunnelled of frame.calls) {
      if (tunnelled.number <= last) return void call.emit('error', calls.outOfOrder(tunnelled.number));
      last = tunnelled.number;
      calls.begin(tunnelled);
    }
    proceed();
  });
  call.on('end', () => {
    hasEnded = true;
    proceed();
  });
  call.on('cancelled', calls.giveUp);
  call.on('error', () => undefined); // cancelling it ends its calls
  write({ answers: [], leaving: false });
  return () => write({ answers: [], leaving: true });
};

/**
 * Binds the service that tunnels unary calls to other services of this process over streams, which saves the overhead
 * of separate calls. Its access rule says who may open a stream; each call on a stream is checked like a separate call.
 */
export const bindCallStreams = (tunnelled: readonly BoundService[], rule: AccessRule): BoundService => {
  const streams = new Set<() => void>();
  const { tunnelCalls } = CallStreamServiceService;
  return {
    definition: CallStreamServiceService,
    rules: new Map([[tunnelCalls.path, rule]]),
    unary: new Map(),
    isUntimed: true,
    implement: (logger, authentication) => {
      const methods = new Map(
        tunnelled.flatMap(({ unary }) =>
          [...unary].map(([path, bound]) => [path, { ...bound, startTiming: timeServed(path) }] as const),
        ),
      );
      return {
        tunnelCalls: (call: Call): void => {
          const leave = serveStream(call, { methods, authentication, logger });
          streams.add(leave);
          const forget = (): void => void streams.delete(leave);
          call.on('cancelled', forget);
          call.on('finish', forget);
        },
      };
    },
    leave: () => {
      for (const leave of streams) leave();
    },
  };
};
