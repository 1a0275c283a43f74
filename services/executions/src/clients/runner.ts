import { NotificationServiceService } from '@weft/proto/notifications';
import type { TokenSigner } from '@weft/service-kit/auth';
import { Unavailable } from '@weft/service-kit/errors';
import { createCaller } from '@weft/service-kit/grpc';
import type { SendRequest } from '../domain/notifications/send-due';
import { MAX_SENDING } from '../domain/notifications/senders';

/** The part of the runners that this service needs. */
export interface RunnerClient {
  readonly send: SendRequest;
  /** @throws Unavailable if there is no target */
  readonly requireTarget: () => void;
  readonly close: () => void;
}

/** Above the time limit of a request, which has its own outcome. */
const DEADLINE_MS = 12_000;

const noTarget = (): Unavailable => new Unavailable('Notifications cannot be sent here: RUNNER_TARGET is not set.');

/** Connects to the runners. @param target gRPC target; empty: none, and nothing can be sent */
export const createRunnerClient = (target: string, sign: TokenSigner): RunnerClient => {
  if (target === '')
    return {
      send: () => Promise.reject(noTarget()),
      requireTarget: () => {
        throw noTarget();
      },
      close: () => undefined,
    };
  // A receiver may be slow to respond, so calls are long polls.
  const { calls, close } = createCaller(NotificationServiceService, {
    service: 'runner',
    target,
    sign,
    capacity: MAX_SENDING,
  });
  return {
    send: async ({ url, headers, body, isFailing }) => {
      const { status, error } = await calls.sendNotification(
        { url, headers: Object.entries(headers).map(([name, value]) => ({ name, value })), body, failing: isFailing },
        { deadlineMs: DEADLINE_MS, waits: true },
      );
      return status === 0 ? { error } : { status };
    },
    requireTarget: () => undefined,
    close,
  };
};
