import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HealthService } from '@weft/proto/health';
import { guessedKey } from './stranger-requests';
import { addressOf, type GrpcPort, type Strangers } from './strangers-at-work';

const MESSAGE_BYTES = 15_000_000;
const STREAMS = 20;
const TIMEOUT_MS = 30_000;
const AFTER_FAULT_MS = 50;
const MAX_SESSION_MB = 1_000;

/** A message as sent: not compressed, its length, its bytes. The same for all, so that the process stays small. */
const vast = Buffer.alloc(MESSAGE_BYTES + 5, 'x');
vast.writeUInt8(0, 0);
vast.writeUInt32BE(MESSAGE_BYTES, 1);
const empty = Buffer.alloc(5);

const openSession = (address: string, index: number): ClientHttp2Session => {
  const { hostname, port, href } = new URL(`http://${address}`);
  const session = connect(href, {
    maxSessionMemory: MAX_SESSION_MB,
    createConnection: () => connectSocket({ host: hostname, port: Number(port), localAddress: addressOf(index) }),
  });
  session.on('error', () => undefined);
  return session;
};

/** Sends one message and waits for the status of its call, or for its end. */
const call = (session: ClientHttp2Session, path: string, headers: object, message: Buffer): Promise<string> =>
  new Promise((resolve) => {
    if (session.destroyed || session.closed) {
      resolve('closed');
      return;
    }
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    let status = 'closed';
    const see = (received: IncomingHttpHeaders): void => {
      if (received['grpc-status'] === undefined) return;
      status = `gRPC ${String(received['grpc-status'])}`;
      // The answer comes while it still sends. Without an error the rest of the message would be sent first.
      stream.close(constants.NGHTTP2_CANCEL);
    };
    stream.on('response', see);
    stream.on('trailers', see);
    stream.on('error', () => undefined);
    stream.on('close', () => resolve(status));
    stream.setTimeout(TIMEOUT_MS, () => stream.close(constants.NGHTTP2_CANCEL));
    stream.resume();
    stream.end(message);
  });

type Streamer = (session: ClientHttp2Session, method: string) => Promise<string>;

/** gRPC calls of strangers, by name. */
const STREAMERS: Readonly<Record<string, Streamer>> = {
  'anonymous 15 MB message': (session, method) => call(session, method, {}, vast),
  '15 MB message with a guessed key': (session, method) =>
    call(session, method, { 'x-svc-api-key': guessedKey() }, vast),
  '15 MB message for health': (session) => call(session, HealthService.check.path, {}, vast),
  'watch of health': (session) => call(session, HealthService.watch.path, {}, empty),
};

/** Names of the calls of strangers over gRPC. */
export const STREAMER_NAMES = Object.keys(STREAMERS);

const portOf = ({ grpcPorts }: Strangers, turn: number): GrpcPort => {
  const port = grpcPorts[turn % grpcPorts.length];
  if (port === undefined) throw new Error('There is no gRPC port.');
  return port;
};

/** One stranger that opens connection after connection, to one port after another, each with many calls. */
export const stream = async (strangers: Strangers, index: number, name: string): Promise<void> => {
  const streamer = STREAMERS[name];
  if (streamer === undefined) throw new Error(`There is no streamer ${name}.`);
  for (let turn = index; !strangers.isOver(); turn += 1) {
    const port = portOf(strangers, turn);
    const session = openSession(port.address, index);
    const watch = setInterval(() => strangers.isOver() && session.destroy(), AFTER_FAULT_MS);
    const one = async (): Promise<void> => {
      const outcome = await streamer(session, port.method);
      if (!strangers.isOver()) strangers.count(`${name}: ${outcome}`);
    };
    await Promise.all(Array.from({ length: STREAMS }, one));
    clearInterval(watch);
    session.destroy();
    await sleep(AFTER_FAULT_MS);
  }
};
