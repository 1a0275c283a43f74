import { NotificationServiceService, type SendNotificationRequest } from '@weft/proto/notifications';
import { OutboundError, type OutboundHttp } from '@weft/outbound';
import { InvalidRequest, Unavailable } from '@weft/service-kit/errors';
import { bindService, type BoundService, type Handlers } from '@weft/service-kit/grpc';
import { NOTIFICATION_ACCESS } from './access';

/** Maximum requests in progress per process, and maximum of these for failing subscriptions. */
const MAX_SENDS = 16;
const MAX_FAILING = 8;

const MAX_BODY_BYTES = 1024 * 1024;
const SEND_MS = 10_000;

/** Options, for tests. */
export interface NotificationOptions {
  readonly maxSends?: number;
  readonly maxFailing?: number;
  /** Milliseconds. */
  readonly timeoutMs?: number;
}

const atCapacity = (): Unavailable =>
  new Unavailable('This runner is sending the maximum number of notifications. Try again.', undefined, 1);

/** NotificationService: sends signed notifications for executions. @param http the egress route of nodes */
export const bindNotifications = (
  http: OutboundHttp,
  { maxSends = MAX_SENDS, maxFailing = MAX_FAILING, timeoutMs = SEND_MS }: NotificationOptions = {},
): BoundService => {
  let sending = 0;
  let failing = 0;
  const post = async (
    { url, headers, body }: SendNotificationRequest,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly error: string }> => {
    try {
      const { status } = await http.request({
        method: 'POST',
        url,
        headers: headers.map(({ name, value }) => [name, value] as const),
        body,
        timeoutMs,
        followRedirects: false,
        skipsBody: true,
        signal,
      });
      return { status, error: '' };
    } catch (error) {
      if (!(error instanceof OutboundError) || error.code === 'ABORTED') throw error;
      return { status: 0, error: error.message };
    }
  };
  const handlers: Handlers<typeof NotificationServiceService> = {
    sendNotification: async (request, { signal }) => {
      if (request.body.length > MAX_BODY_BYTES)
        throw new InvalidRequest('The request is invalid.', [
          { field: 'body', message: `must have at most ${MAX_BODY_BYTES} bytes.` },
        ]);
      const isFailing = request.failing;
      if (sending >= maxSends || (isFailing && failing >= maxFailing)) throw atCapacity();
      sending += 1;
      if (isFailing) failing += 1;
      try {
        return await post(request, signal);
      } finally {
        sending -= 1;
        if (isFailing) failing -= 1;
      }
    },
  };
  return bindService(NotificationServiceService, handlers, NOTIFICATION_ACCESS);
};
