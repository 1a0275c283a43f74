import type { ServerResponse } from 'node:http';

/** Resolves when a response can take more data, or is closed. */
export const untilDrained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
