import { INVALID_REQUEST, readSessionMessage, refusal } from '@weft/mcp';
import type { IncomingMessage } from 'node:http';
import { readRpcBody } from '../../../mcp/read-rpc-body';
import { writePostResponse } from '../../../mcp/write-post-response';
import { type AdmittedRequest, MAX_BODY_BYTES, type McpIngressOptions } from '../receive-mcp';
import { createWorkflowHost } from '../workflow-host';

/** The name of the session that a message belongs to; undefined for one without a session. */
export const sessionOf = ({ url = '' }: IncomingMessage): string | undefined =>
  new URLSearchParams(url.split('?').slice(1).join('?')).get('sessionId') ?? undefined;

/** Tells a client that its stream is needed for a message. */
const refuseSession = ({ response }: AdmittedRequest): Promise<void> =>
  writePostResponse(response, refusal(INVALID_REQUEST, 'Session not found: open the stream of events again.', 404));

/** Nothing ends a request of a session early: its response goes elsewhere. */
const NEVER = new AbortController().signal;

/** Accepts a message of a session, and sends the answer to its stream. */
export const receiveMessage = async (
  admitted: AdmittedRequest,
  name: string,
  options: McpIngressOptions,
): Promise<void> => {
  const { request, response, webhook } = admitted;
  const { sessions, readBody, logger } = options;
  const id = sessions.ids.read(name, webhook);
  if (id === undefined) return refuseSession(admitted);
  const read = await readRpcBody(request, response, webhook, readBody, MAX_BODY_BYTES);
  if ('refused' in read) return writePostResponse(response, read.refused);
  const message = readSessionMessage(read.body);
  if ('refused' in message) return writePostResponse(response, message.refused);
  await writePostResponse(response, { kind: 'accepted' });
  const text = await message.answer(createWorkflowHost({ ...admitted, body: read.body }, options), NEVER);
  if (text === undefined) return;
  await sessions.deliver(id, text).catch((error: unknown) => {
    logger.warn({ err: error, workflowId: webhook.workflowId }, 'the answer to a message of a session was lost');
  });
};
