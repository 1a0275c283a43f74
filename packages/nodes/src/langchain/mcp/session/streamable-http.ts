import type { JsonObject } from '@weft/node-catalogue';
import type { OutboundStream } from '@weft/outbound';
import { isAnswerTo, type McpTransport, messageOf, messagesIn, textOf } from './messages';
import { type McpTarget, mcpFailure, openResponse } from './target';

/** Maximum time to end a session, in milliseconds. */
const CLOSE_MS = 2_000;

/** Streamable HTTP: each message is a POST, whose response is JSON or a stream of server-sent events. */
export function openStreamableHttp(target: McpTarget): McpTransport {
  let sessionId: string | undefined;
  let version: string | undefined;
  const session = (): (readonly [string, string])[] => [
    ...(sessionId === undefined ? [] : [['mcp-session-id', sessionId] as const]),
    ...(version === undefined ? [] : [['mcp-protocol-version', version] as const]),
  ];
  const post = async (message: JsonObject): Promise<OutboundStream> => {
    const response = await openResponse(target, {
      method: 'POST',
      url: target.url,
      headers: [['content-type', 'application/json'], ['accept', 'application/json, text/event-stream'], ...session()],
      body: Buffer.from(JSON.stringify(message)),
    });
    const given = response.headers['mcp-session-id'];
    if (typeof given === 'string' && /^[\x21-\x7e]{1,500}$/.test(given)) sessionId ??= given;
    return response;
  };
  return {
    request: async (message, id) => answerIn(target, await post(message), id),
    notify: async (message) => (await post(message)).cancel(),
    agree: (agreed) => {
      version = agreed;
    },
    close: async () => {
      if (sessionId === undefined || target.signal.aborted) return;
      const request = { method: 'DELETE', url: target.url, headers: session(), timeoutMs: CLOSE_MS } as const;
      // Servers may keep their sessions, and then end them on their own.
      await openResponse(target, request).then(
        (response) => response.cancel(),
        () => undefined,
      );
    },
  };
}

/** The answer to a request in the response to it. @throws NodeFailure if it has none */
async function answerIn(target: McpTarget, response: OutboundStream, id: number): Promise<JsonObject> {
  const type = String(response.headers['content-type'] ?? '').toLowerCase();
  if (type.startsWith('text/event-stream')) {
    for await (const { data } of messagesIn(target, response)) {
      const message = messageOf(target, data);
      if (isAnswerTo(message, id)) return message;
    }
  } else {
    const message = messageOf(target, await textOf(target, response));
    const found = Array.isArray(message) ? message.find((one) => isAnswerTo(one, id)) : message;
    if (isAnswerTo(found, id)) return found;
  }
  throw mcpFailure(
    target,
    'ended its response without an answer to the request.',
    `Check "Endpoint" and "Server transport" of the node "${target.node}".`,
  );
}
