import type { DestinationStream } from 'pino';

/** Milliseconds for which a line of everyday waits for others, to be written with them. */
const COLLECT_MS = 50;
/** Bytes of lines that wait for nothing more. */
const BLOCK_BYTES = 8 * 1024;
/** Level of `warn` in pino. From it on a line is written at once, with all before it: the process may end soon. */
const URGENT_LEVEL = 40;

/** Settings of a destination that collects lines until they are {@link BLOCK_BYTES}, or until it is told to write. */
export const BLOCK_OPTIONS = { minLength: BLOCK_BYTES } as const;

/** What blocks of lines are written to: `pino.destination` with {@link BLOCK_OPTIONS}. */
export interface BlockDestination extends DestinationStream {
  /** Writes what is collected; does nothing while a write is under way. */
  flush(): void;
  /** Writes all that is left before it returns. */
  flushSync(): void;
  /** `write`: so many bytes have been written. `drain`: no write is under way. */
  on(event: 'write' | 'drain', listener: (bytes: number) => void): unknown;
}

/** A destination that is told the level of each line. */
interface LevelledDestination extends DestinationStream {
  readonly [METADATA]: true;
  /** Level of the line that is written next; pino sets it. */
  lastLevel: number;
  /** Writes what is collected without delay: `logger.flush()`. */
  readonly flush: () => void;
  readonly flushSync: () => void;
}

const METADATA: unique symbol = Symbol.for('pino.metadata');

/**
 * Writes the lines of a short time together: a write for each costs a service at work more than to make the line. What
 * is not written when the process ends in an ordinary way, `pino.destination` writes then.
 */
export const inBlocks = (destination: BlockDestination): LevelledDestination => {
  /** Bytes of lines that are not written yet. */
  let unwritten = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Whether what is left after the write that is under way must not wait. */
  let isUrgent = false;
  const writeAll = (): void => {
    clearTimeout(timer);
    timer = undefined;
    destination.flush();
  };
  const writeAtOnce = (): void => {
    isUrgent = true;
    writeAll();
  };
  const writeSoon = (): void => {
    timer ??= setTimeout(writeAll, COLLECT_MS).unref();
  };
  destination.on('write', (bytes) => {
    unwritten = Math.max(0, unwritten - bytes);
  });
  // It could not be told to write while a write was under way.
  destination.on('drain', () => {
    const mayWait = !isUrgent;
    isUrgent = false;
    if (unwritten === 0) return;
    if (mayWait) writeSoon();
    else writeAll();
  });
  return {
    [METADATA]: true,
    lastLevel: 0,
    flush: writeAtOnce,
    flushSync: () => {
      destination.flushSync();
      unwritten = 0;
    },
    write(line) {
      unwritten += Buffer.byteLength(line);
      destination.write(line);
      if (this.lastLevel >= URGENT_LEVEL) writeAtOnce();
      else writeSoon();
    },
  };
};
