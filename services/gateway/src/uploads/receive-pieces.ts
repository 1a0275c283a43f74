import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestAborted } from '../errors';
import { drain, isAborted } from '../middleware/responses/drain';
import { watchProgress } from '../middleware/limits/watch-progress';

/**
 * The body of a request as it arrives. Unused data is still received, within a bound, so that the sender can read the
 * response.
 * @throws RequestAborted if the sender leaves before the end; RequestTooSlow
 */
export async function* receivePieces(request: IncomingMessage, response: ServerResponse): AsyncGenerator<Buffer> {
  let endWatch = (): void => undefined;
  const slow = new Promise<never>((_, reject) => {
    endWatch = watchProgress(request, response, reject);
  });
  // Thrown by the read that waits for more; without one, nothing is waiting for it.
  slow.catch(() => undefined);
  const pieces: AsyncIterator<unknown> = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await Promise.race([pieces.next(), slow]);
      if (next.done === true) return;
      if (Buffer.isBuffer(next.value)) yield next.value;
    }
  } catch (error) {
    throw isAborted(request) ? new RequestAborted() : error;
  } finally {
    endWatch();
    void Promise.resolve(pieces.return?.()).catch(() => undefined);
    if (!request.readableEnded) drain(request);
  }
}
