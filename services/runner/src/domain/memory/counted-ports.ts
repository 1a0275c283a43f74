import type {
  Databases,
  OutboundHttp,
  OutboundRequest,
  OutboundResponse,
  OutboundStreams,
  RemoteServers,
  ResultRefused,
} from '@weft/outbound';
import { observeStream } from '../streams/observe-stream';
import type { KeptRoom } from './kept-room';

/** Counts the bytes received from a server. @returns an error if the session must end */
export type Received = (bytes: number) => ResultRefused | undefined;

/** Sends a request, and reads a large response once there is memory for it and the data derived from it. */
export const requestInRoom = async (
  http: OutboundHttp,
  request: OutboundRequest,
  bodyRoom: KeptRoom,
): Promise<OutboundResponse> => {
  try {
    return await http.request({ ...request, bodyRoom });
  } catch (error) {
    bodyRoom.shrink(0);
    throw error;
  }
};

/** Counts the bytes of a streamed response. @throws an error if the stream must end */
export type Streamed = (bytes: number) => void;

/** Counts the bodies of streamed responses, chunk by chunk. */
export const countStreams = (streams: OutboundStreams, onChunk: Streamed): OutboundStreams => ({
  stream: async (request) => observeStream(await streams.stream(request), { onChunk }),
});

/** Counts what databases send. */
export const countDatabases = ({ postgres, mysql, redis, mongo }: Databases, received: Received): Databases => ({
  postgres: (server, options, bounds, signal) => postgres(server, options, { ...bounds, received }, signal),
  mysql: (server, options, bounds, signal) => mysql(server, options, { ...bounds, received }, signal),
  redis: (server, bounds, signal) => redis(server, { ...bounds, received }, signal),
  mongo: (server, bounds, signal) => mongo(server, { ...bounds, received }, signal),
});

/** The same for files and the output of commands. */
export const countRemote = ({ mailbox, ssh, ftp }: RemoteServers, received: Received): RemoteServers => ({
  mailbox,
  ssh: (server, bounds, signal, use) => ssh(server, { ...bounds, received }, signal, use),
  ftp: (server, bounds, signal, use) => ftp(server, { ...bounds, received }, signal, use),
});
