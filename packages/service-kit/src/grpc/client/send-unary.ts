import { status as GrpcCode, type Client } from '@grpc/grpc-js';
import { unixTimeOf } from '../../context';
import { TunnelledCallFailed } from './call-stream';
import type { CallStreams } from './call-streams';
import { MAX_TUNNELLED_BYTES } from './frames';
import { countTunnelled } from '../metrics';
import { metadataOf, type Sending } from './prepare-call';
import type { MethodDefinition } from '../types';

/** Connection of a client for unary calls. */
export interface UnaryConnection {
  readonly client: Client;
  /** Name of the service. */
  readonly service: string;
  readonly streams: CallStreams | undefined;
  /** Paths of the methods that are retried. */
  readonly retried: ReadonlySet<string>;
}

/** Makes a separate call. */
const sendByItself = (
  { client }: Pick<UnaryConnection, 'client'>,
  { path, responseDeserialize }: MethodDefinition,
  request: Buffer,
  { headers, deadline }: Sending,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      (bytes: Buffer) => bytes,
      responseDeserialize,
      request,
      metadataOf(headers),
      { deadline: unixTimeOf(deadline) },
      (error, response) => {
        if (error === null) resolve(response);
        else reject(error);
      },
    );
  });

/**
 * Sends a call on a stream, or separately if it is large or no stream accepts it. If a stream is unavailable and the
 * method may be retried, makes a separate call, which the channel retries.
 */
export const sendUnary = async (
  connection: UnaryConnection,
  method: MethodDefinition,
  message: never,
  sending: Sending,
): Promise<unknown> => {
  const request = method.requestSerialize(message);
  const stream = request.length > MAX_TUNNELLED_BYTES ? undefined : connection.streams?.take(request.length);
  if (stream === undefined) return sendByItself(connection, method, request, sending);
  countTunnelled(connection.service);
  try {
    const { headers, deadline } = sending;
    return method.responseDeserialize(await stream.send({ ...headers, method: method.path, request, deadline }));
  } catch (error) {
    if (!(error instanceof TunnelledCallFailed)) throw error;
    if (error.code !== GrpcCode.UNAVAILABLE || !connection.retried.has(method.path)) throw error;
    return sendByItself(connection, method, request, sending);
  }
};
