import { EVENT_STREAM_HEADERS } from '../../../http/event-stream';
import { untilDrained } from '../../../http/until-drained';
import { liftTimeLimit, outsideTimeLimit } from '../../../middleware/limits/time-limit';
import { clientSignal } from '../../../middleware/responses/serve-events';
import { excludeFromTiming } from '../../../observing/request-metrics';
import { followTexts } from '../../webhooks/streaming/follow-texts';
import type { AdmittedRequest, McpIngressOptions } from '../receive-mcp';
import { createJoiner } from './message-parts';

/** Interval between comments: proxies close connections that seem idle. */
const COMMENT_MS = 15_000;
/** Maximum duration of a stream; its client opens another one. */
const MAX_MS = 3_600_000;
/** Unread bytes above which a stream is closed. */
const MAX_UNREAD_BYTES = 4_000_000;

/** True for a request of a client that uses server-sent events: others name a version, or no type of stream. */
export const opensStream = ({ request: { method, headers } }: AdmittedRequest): boolean =>
  method === 'GET' &&
  headers['mcp-protocol-version'] === undefined &&
  headers['mcp-session-id'] === undefined &&
  (headers.accept ?? '').includes('text/event-stream');

/**
 * Opens the stream of a session, which begins with the address for its messages. Messages that other gateways send
 * arrive as strings of the session's id. If one is lost, the stream ends, and its client begins again.
 * @throws ServiceError if too many streams are open
 */
export const openStream = async (
  { request, response, webhook }: AdmittedRequest,
  { clients, sessions, underWay }: McpIngressOptions,
): Promise<void> => {
  const release = clients.events.reserveAnswer(webhook.ownerId);
  excludeFromTiming(response);
  liftTimeLimit(response);
  const { id, name } = sessions.ids.create(webhook);
  const end = (): void => void response.end();
  const write = async (text: string): Promise<void> => {
    if (response.destroyed || response.writableEnded) return;
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
    else if (!response.write(`event: message\ndata: ${text}\n\n`)) await untilDrained(response);
  };
  const join = createJoiner(end);
  const signal = clientSignal(response);
  signal.addEventListener('abort', release, { once: true });
  if (signal.aborted) return release();
  const { opened } = outsideTimeLimit(() =>
    followTexts({
      executionId: id,
      calls: clients.events.calls,
      signal,
      onDelta: async (part) => {
        const text = join(part);
        if (text !== undefined) await write(text);
      },
    }),
  );
  response.once('close', sessions.hold(id, write));
  await opened;
  if (response.headersSent || response.destroyed) return;
  const [path = ''] = (request.url ?? '').split('?');
  response.writeHead(200, EVENT_STREAM_HEADERS);
  response.write(`event: endpoint\ndata: ${path}?sessionId=${name}\n\n`);
  underWay.addStream(response, end);
  const comments = setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n');
  }, COMMENT_MS);
  const last = setTimeout(end, MAX_MS);
  response.once('close', () => {
    clearInterval(comments);
    clearTimeout(last);
  });
};
