import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const EXCHANGES = 60;

/**
 * Milliseconds that some bytes take through a pipe to another process, parsed and written there as JSON, and back.
 * Median.
 * @param pauseMs between two exchanges
 */
export const measurePipe = async (bytes: Buffer, pauseMs: number): Promise<number> => {
  const echo = `let got = []; let size = 0; process.stdin.on('data', (part) => { got.push(part); size += part.length;
    if (size < ${bytes.length}) return;
    const text = JSON.stringify(JSON.parse(Buffer.concat(got).toString()));
    got = []; size = 0; process.stdout.write(text); })`;
  const child = spawn(process.execPath, ['-e', echo], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exchange = async (): Promise<number> => {
    const began = performance.now();
    child.stdin.write(bytes);
    for (let size = 0; size < bytes.length;) {
      const [part]: Buffer[] = await once(child.stdout, 'data');
      size += part?.length ?? 0;
    }
    return performance.now() - began;
  };
  const times: number[] = [];
  for (let round = 0; round < EXCHANGES; round += 1) {
    times.push(await exchange());
    if (pauseMs > 0) await pause(pauseMs);
  }
  child.stdin.end();
  await once(child, 'exit');
  return times.sort((a, b) => a - b)[EXCHANGES / 2] ?? 0;
};
