import type { OpenSocket } from '../mail/mail-sender';
import { ServerConnection } from '../sessions/server-connection';
import { DatabaseFailed, type QueryBounds, type RedisReply, type RedisServer, type RedisSession } from './databases';
import { RespReader } from './resp-reader';

/** Opens a session with a Redis server. */
export async function openRedis(
  openSocket: OpenSocket,
  { host, port, user, password, database, tls }: RedisServer,
  bounds: QueryBounds,
  signal: AbortSignal,
): Promise<RedisSession> {
  const connection = await ServerConnection.open(openSocket, { host, port, bounds, signal });
  try {
    return await connection.login(async () => {
      const stream = tls === undefined ? connection.stream : await connection.secure(tls);
      const reader = new RespReader(stream);
      const send = (parts: readonly (string | number)[]): Promise<RedisReply> => {
        stream.write(encoded(parts));
        return reader.reply();
      };
      if (password !== '') await send(['AUTH', ...(user === '' ? [] : [user]), password]);
      if (database !== 0) await send(['SELECT', database]);
      return {
        command: async (...parts) => {
          try {
            return await connection.query(() => send(parts));
          } catch (error) {
            // after anything but an error that the server sent in full, replies would go to the wrong command
            if (!(error instanceof DatabaseFailed)) connection.end();
            throw error;
          }
        },
        close: () => connection.end(),
      };
    });
  } catch (error) {
    connection.end();
    throw error;
  }
}

function encoded(parts: readonly (string | number)[]): Buffer {
  const strings = parts.map((part) => Buffer.from(String(part)));
  const framed = strings.flatMap((bytes) => [Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')]);
  return Buffer.concat([Buffer.from(`*${parts.length}\r\n`), ...framed]);
}
