import type { DestinationStream } from 'pino';

/** Milliseconds for which a line waits for others. */
const COLLECT_MS = 50;
/** Characters that are written at once. */
const BLOCK_LENGTH = 8 * 1024;

interface FlushableStream extends DestinationStream {
  /** Writes everything before it returns; pino calls it after a line of level `fatal`. */
  flushSync(): void;
}

/**
 * Collects lines and writes them in blocks: under load, a write per line costs more than producing the line. Collected
 * lines are written when the process exits; a killed process loses the lines of its last 50 ms.
 */
export const inBlocks = (output: FlushableStream): FlushableStream => {
  let block = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (block !== '') output.write(block);
    block = '';
  };
  // Before the listeners with which pino ends its destination.
  process.prependListener('beforeExit', flush);
  process.prependListener('exit', flush);
  return {
    write(line) {
      block += line;
      if (block.length >= BLOCK_LENGTH) flush();
      else timer ??= setTimeout(flush, COLLECT_MS).unref();
    },
    flushSync() {
      flush();
      output.flushSync();
    },
  };
};
