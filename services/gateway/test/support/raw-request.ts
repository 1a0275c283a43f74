import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { KEYS } from '../peers/identity';

/** The response on a separate connection. */
export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/**
 * Sends a request head and, if given, a body. The head may announce more than is sent, and the body may stay open. For
 * requests that fetch refuses to send.
 */
export const rawRequest = (
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string | Buffer,
  ends = true,
): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
        sent.destroy();
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.flushHeaders();
    if (body !== undefined && ends) sent.end(body);
    else if (body !== undefined) sent.write(body);
    else if (headers['content-length'] === undefined) sent.end();
  });

/** Sends bytes that need not be HTTP, and returns the response until the other side closes. */
export const rawBytes = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });

/** Sends a request as the owner and then does not read the response. */
export const slowReader = (port: number, path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-SVC-API-KEY: ${KEYS.owner}\r\n\r\n`, () => resolve(socket));
    });
    socket.on('error', reject);
  });

/** Sends a request head and only the beginning of the announced body. */
export const unfinishedRequest = (
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n${body}`, () => resolve(socket));
    });
    socket.on('error', reject);
  });
