import { connect } from 'nats';

const LIMIT_MS = 5_000;
const NOT_FOUND = '404';

/**
 * Deletes a stream on a server that others use as well: a stream reserves room until it is deleted.
 * @returns false if the server could not be asked or did not do it; a stream that does not exist counts as deleted.
 */
export async function deleteStream(natsUrl: string, stream: string): Promise<boolean> {
  try {
    const connection = await connect({ servers: natsUrl, timeout: LIMIT_MS, reconnect: false });
    try {
      const manager = await connection.jetstreamManager({ timeout: LIMIT_MS });
      return await manager.streams.delete(stream);
    } finally {
      await connection.close();
    }
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === NOT_FOUND;
  }
}
