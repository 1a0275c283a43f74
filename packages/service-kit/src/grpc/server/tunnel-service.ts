import type { ServerDuplexStream } from '@grpc/grpc-js';
import { CallStreamServiceService, type TunnelCallsRequest, type TunnelCallsResponse } from '@weft/proto/calls';
import type { Logger } from '../../logging';
import type { AccessRule, Authentication } from './access';
import { admissionOf } from './admission';
import type { BoundService } from './bind-service';
import { createTunnelledCalls, type TunnelledMethod } from './tunnelled-calls';
import { timeServed } from '../metrics';
import { PROCESS_ID_KEY } from '../client/call-stream';

type Call = ServerDuplexStream<TunnelCallsRequest, TunnelCallsResponse>;

/** Maximum unanswered calls of one stream. Reading pauses at this number. */
const MAX_UNDER_WAY = 2_000;

/** Maximum length of the id of a process. */
const MAX_ID_LENGTH = 100;

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

/** Counts the streams of each process that opens some. @returns a function that begins counting a stream */
const createProcessCounts = (onLost: (processId: string) => void) => {
  const open = new Map<string, number>();
  return (processId: unknown): ((isBroken: boolean) => void) => {
    if (typeof processId !== 'string' || processId === '' || processId.length > MAX_ID_LENGTH) return () => undefined;
    let isOver = false;
    open.set(processId, (open.get(processId) ?? 0) + 1);
    return (isBroken) => {
      if (isOver) return;
      isOver = true;
      const left = (open.get(processId) ?? 1) - 1;
      if (left > 0) return void open.set(processId, left);
      open.delete(processId);
      if (isBroken) onLost(processId);
    };
  };
};

/**
 * Binds the service that tunnels unary calls to other services of this process over streams, which saves the overhead
 * of separate calls. Its access rule says who may open a stream; each call on a stream is checked like a separate call.
 * @param onLost called when the last stream of a process has broken, if the process sends its id
 */
export const bindCallStreams = (
  tunnelled: readonly BoundService[],
  rule: AccessRule,
  onLost: (processId: string) => void = () => undefined,
): BoundService => {
  const countStream = createProcessCounts(onLost);
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
          const ended = countStream(call.metadata.get(PROCESS_ID_KEY)[0]);
          let isLeaving = false;
          call.on('data', (frame: TunnelCallsRequest) => (isLeaving ||= frame.leaving === true));
          // A broken stream may look like one that its caller has ended.
          const forget = (): void => {
            streams.delete(leave);
            ended(!isLeaving);
          };
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
