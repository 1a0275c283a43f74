import { connect } from 'nats';

const LIMIT_MS = 5_000;
const NOT_FOUND = '404';

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === NOT_FOUND;

/**
 * Deletes streams on a server that others use as well: a stream reserves room until it is deleted.
 * @returns false if the server could not be asked or did not do it; a stream that does not exist counts as deleted.
 */
export async function deleteStreams(natsUrl: string, streams: readonly string[]): Promise<boolean> {
  try {
    const connection = await connect({ servers: natsUrl, timeout: LIMIT_MS, reconnect: false });
    try {
      const manager = await connection.jetstreamManager({ timeout: LIMIT_MS });
      const deleted = await Promise.all(streams.map((stream) => manager.streams.delete(stream).catch(isAbsent)));
      return !deleted.includes(false);
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
