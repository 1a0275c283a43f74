import { fork } from 'node:child_process';

/** An HTTP server of the bench in a separate process, so that its CPU is not counted as the bench's. */
export interface OwnServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a program that sends the port it listens on.
 * @param program path of the compiled file
 * @throws Error if it does not listen within 10 s
 */
export const startOwnServer = (program: string, args: readonly string[] = []): Promise<OwnServer> =>
  new Promise((resolve, reject) => {
    const child = fork(program, args);
    const timer = setTimeout(() => reject(new Error(`${program} did not start.`)), 10_000);
    child.once('error', reject);
    child.once('message', (port) => {
      clearTimeout(timer);
      resolve({
        url: `http://127.0.0.1:${String(port)}/`,
        stop: () =>
          new Promise((stopped) => {
            child.once('exit', () => stopped());
            child.kill();
          }),
      });
    });
  });
