import type { RawResponse } from '@weft/models/testing';
import type { IncomingHttpHeaders } from 'node:http';
import { serve } from '../stand-ins/serve';

/** A request as a host received it. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A host of a test, which records its requests. */
export interface RecordingHost {
  /** Without a slash at the end. */
  readonly url: string;
  readonly received: ReceivedRequest[];
  readonly stop: () => Promise<void>;
}

/** Starts a host. @param answer the response by the first part of the path */
export async function startHost(address: string, answer: (place: string) => RawResponse): Promise<RecordingHost> {
  const received: ReceivedRequest[] = [];
  const { url, stop } = await serve((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body: Buffer.concat(parts).toString('utf8') });
      const { status = 200, headers = {}, body } = answer(/^\/(\d+)/.exec(path)?.[1] ?? '');
      response.statusCode = status;
      response.setHeader('content-type', 'application/json');
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.end(body);
    });
  }, address);
  return { url, received, stop };
}
