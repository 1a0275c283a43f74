import type { OutboundStream } from '@weft/outbound';

/** Sees the body of a response as it is read. */
export interface StreamObserver {
  /** Called with the bytes of each chunk before its reader gets it. An error ends the stream. */
  readonly onChunk?: (bytes: number) => void;
  /**
   * Called once, when the body ends: without an error if it was read to its end, or left or cancelled by its reader.
   * Not called for a body that is neither iterated nor cancelled.
   */
  readonly onEnd?: (error?: unknown) => void;
  /** Awaits the next chunk. */
  readonly awaiting?: <Result>(next: () => Promise<Result>) => Promise<Result>;
}

const atOnce: NonNullable<StreamObserver['awaiting']> = (next) => next();

/** The same response, whose body is observed. */
export const observeStream = (
  stream: OutboundStream,
  { onChunk, onEnd, awaiting = atOnce }: StreamObserver,
): OutboundStream => {
  let isOver = false;
  const end = (error?: unknown): void => {
    if (isOver) return;
    isOver = true;
    onEnd?.(error);
  };
  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    const chunks = stream.chunks[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await awaiting(() => chunks.next());
        if (next.done === true) return;
        onChunk?.(next.value.length);
        yield next.value;
      }
    } catch (error) {
      end(error);
      throw error;
    } finally {
      end();
      // closes the connection, unless the body has been read to its end
      await chunks.return?.();
    }
  }
  return {
    ...stream,
    chunks: { [Symbol.asyncIterator]: read },
    cancel: () => {
      stream.cancel();
      end();
    },
  };
};
