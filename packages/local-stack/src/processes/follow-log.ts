import { closeSync, openSync, readSync } from 'node:fs';

const EVERY_MS = 250;
const MAX_AT_ONCE = 262_144;

/**
 * Passes every line that is added to a log file from now on to `take`, within a quarter of a second.
 * A file that does not exist yet is waited for.
 * Returns a function that ends it.
 */
export function followLog(file: string, take: (line: string) => void): () => void {
  const buffer = Buffer.alloc(MAX_AT_ONCE);
  let position = 0;
  let rest = '';
  const look = (): void => {
    const length = readFrom(file, buffer, position);
    if (length === undefined) {
      position = 0;
      return;
    }
    position += length;
    const lines = (rest + buffer.toString('utf8', 0, length)).split('\n');
    rest = (lines.pop() ?? '').slice(-MAX_AT_ONCE);
    for (const line of lines) if (line.trim() !== '') take(line);
  };
  const timer = setInterval(look, EVERY_MS);
  return () => {
    clearInterval(timer);
    look();
  };
}

function readFrom(file: string, buffer: Buffer, position: number): number | undefined {
  let opened: number | undefined;
  try {
    opened = openSync(file, 'r');
    return readSync(opened, buffer, 0, buffer.length, position);
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
