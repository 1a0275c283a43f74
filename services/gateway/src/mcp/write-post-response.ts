import { INVALID_REQUEST, type PostResponse, refusal } from '@weft/mcp';
import type { ServerResponse } from 'node:http';
import { EVENT_STREAM_HEADERS } from '../http/event-stream';
import { untilDrained } from '../http/until-drained';

/** Writes the response of an MCP server to a POST, a stream as fast as the client reads it. */
export const writePostResponse = async (response: ServerResponse, answer: PostResponse): Promise<void> => {
  if (response.headersSent || response.destroyed) return;
  switch (answer.kind) {
    case 'accepted':
      response.writeHead(202).end();
      return;
    case 'json':
      response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' }).end(answer.text);
      return;
    case 'stream':
      response.writeHead(200, EVENT_STREAM_HEADERS);
      for await (const part of answer.parts) {
        if (response.destroyed) return;
        if (!response.write(part)) await untilDrained(response);
      }
      response.end();
  }
};

/** Refuses a page of another site, which could use a server in the network of its visitors. */
export const refuseOrigin = (response: ServerResponse): Promise<void> => {
  const advice = 'Requests from other sites are refused. If this site is Weft, set PUBLIC_URL to its address.';
  return writePostResponse(response, refusal(INVALID_REQUEST, advice, 403));
};
