import { fork } from 'node:child_process';
import { join } from 'node:path';

/** An Express server in a process of its own that makes one gRPC call for each request. */
export interface HopServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts it. @throws Error if it does not listen within 10 s. */
export const startHopServer = (grpcTarget: string): Promise<HopServer> =>
  new Promise((resolve, reject) => {
    const child = fork(join(__dirname, 'hop-server-main.js'), [grpcTarget]);
    const timer = setTimeout(() => reject(new Error('The hop server did not start.')), 10_000);
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
