import {
  ExecutionMode,
  ExecutionServiceService,
  type ExecutionState,
  StartWait,
  type ExecutionStart,
} from '@weft/proto/executions';
import { ServiceError } from '@weft/service-kit/errors';
import { createCaller } from '@weft/service-kit/grpc';
import { REPLACED } from '../time/install';
import { createProcess, within } from '../time/simulated-process';
import type { World } from '../world/world';
import type { Kind } from './workflows';

/** One start as a caller sees it, which retries it until its outcome is certain. */
export interface Call {
  readonly kind: Kind;
  readonly executionId: string;
  readonly key: string;
  /** Id under which it was accepted; it may be that of an earlier start with the same key. */
  acceptedAs?: string;
  /** True once a read has reported that nothing will run under the id. */
  isFenced: boolean;
  /** True once the start was refused for certain. */
  isRefused: boolean;
  isCancelled: boolean;
  isOver: boolean;
  /** State reported to a caller that waited for the end. */
  reported?: ExecutionState;
}

const WAIT_MS = 20_000;
const DEADLINE_MS = 4_000;
const MAX_ATTEMPTS = 4;

const startOf = ({ kind, executionId, key }: Call, waits: boolean, attempt: number): ExecutionStart => ({
  workflowId: kind.workflowId,
  input: Buffer.from('[{"json":{}}]'),
  startNode: 'Start',
  idempotencyKey: key,
  wait: waits ? StartWait.START_WAIT_END : StartWait.START_WAIT_UNSPECIFIED,
  waitMs: waits ? WAIT_MS : 0,
  usePinData: false,
  mode: ExecutionMode.EXECUTION_MODE_WEBHOOK,
  versionId: kind.versionId,
  ownerId: kind.ownerId,
  executionId,
  ...(attempt > 0 ? { repeatedStart: true } : {}),
});

/** Whether an error of a start leaves open if it was accepted. */
const isUnknown = (error: unknown): boolean =>
  !(error instanceof ServiceError) || ['unavailable', 'timeout', 'timed-out', 'internal'].includes(error.kind);

/** Starts executions as the gateway does, and remembers what it was told. */
export const createCallers = (world: World) => {
  const { scheduler, trace, random, violated } = world;
  const gateway = createProcess('gateway-1');
  const all: Call[] = [];
  const { calls } = within(gateway, () =>
    createCaller(ExecutionServiceService, {
      service: 'executions',
      target: world.targets.executions,
      sign: () => '',
      retried: ['getExecution'],
    }),
  );

  /** Reads until the answer is certain: after "not found", nothing runs under the id. */
  const resolveUnknown = async (call: Call): Promise<void> => {
    for (;;) {
      try {
        await calls.getExecution({ executionId: call.executionId, fence: true }, { deadlineMs: DEADLINE_MS });
        call.acceptedAs = call.executionId;
        trace.note(`${call.executionId} was accepted, as a read shows`);
        return;
      } catch (error) {
        if (error instanceof ServiceError && error.kind === 'not-found') {
          trace.note(`${call.executionId} is not known and never will be`);
          call.isFenced = true;
          return;
        }
        await scheduler.pause(1_000 + random.next() * 1_000);
      }
    }
  };

  const send = async (call: Call, waits: boolean, isPatient: boolean): Promise<void> => {
    let isOpen = false;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      try {
        const deadlineMs = waits ? WAIT_MS + DEADLINE_MS : DEADLINE_MS;
        const { started } = await calls.startExecution({ start: startOf(call, waits, attempt) }, { deadlineMs });
        if (started === undefined) throw new Error('StartExecution returned nothing.');
        call.acceptedAs = started.executionId;
        if (started.ended !== undefined) call.reported = started.ended.state;
        trace.note(`${started.executionId} is accepted${started.ended === undefined ? '' : ', and has ended'}`);
        return;
      } catch (error) {
        const text = error instanceof ServiceError ? `${error.reason} ${error.kind}` : String(error);
        trace.note(`start of ${call.executionId}: ${text}`);
        if (!isUnknown(error)) {
          // An earlier attempt may still have been accepted.
          call.isRefused = !isOpen;
          if (isOpen) await resolveUnknown(call);
          return;
        }
        isOpen = true;
        if (!isPatient) break;
        await scheduler.pause(300 + random.next() * 2_000);
      }
    }
    await resolveUnknown(call);
  };

  const begin = (kind: Kind, key: string, waits: boolean, isPatient: boolean): Call => {
    const call: Call = {
      kind,
      executionId: REPLACED.ids.uuidv7(),
      key,
      isFenced: false,
      isRefused: false,
      isCancelled: false,
      isOver: false,
    };
    all.push(call);
    trace.note(
      `call ${call.executionId} of ${kind.name}${key === '' ? '' : ` with key ${key}`}${waits ? ', waiting' : ''}`,
    );
    within(gateway, () => {
      send(call, waits, isPatient).then(
        () => (call.isOver = true),
        (error: unknown) => violated(`a caller failed: ${String(error)}`),
      );
    });
    return call;
  };

  /** Cancels a run, if it was accepted. */
  const cancel = (call: Call): void => {
    within(gateway, () => {
      const { acceptedAs } = call;
      if (acceptedAs === undefined) return;
      call.isCancelled = true;
      trace.note(`cancel ${acceptedAs}`);
      calls.cancelExecution({ executionId: acceptedAs }, { deadlineMs: DEADLINE_MS }).catch(() => undefined);
    });
  };

  /** Reads the data of an ended run. @throws ServiceError */
  const readData = (executionId: string): Promise<unknown> =>
    within(gateway, async () => {
      const pieces: Buffer[] = [];
      for await (const { jsonPart } of calls.readExecutionData({ executionId }, { deadlineMs: DEADLINE_MS }))
        pieces.push(jsonPart);
      return JSON.parse(Buffer.concat(pieces).toString());
    });
  return { all, begin, cancel, readData };
};

export type Callers = ReturnType<typeof createCallers>;
