import type { ServerResponse } from 'node:http';

/** The requests that have no answer yet. */
export interface UnderWay {
  /** @param end answers the request with an error now */
  readonly add: (response: ServerResponse, end: () => void) => void;
  /** Their answers ask the callers to close their connections, so that none must be cut. */
  readonly askToClose: () => void;
  /** Answers each of them now, except those whose answer has begun. */
  readonly endAll: () => void;
}

/** Keeps the requests under way for when the process stops. */
export const createUnderWay = (): UnderWay => {
  const open = new Map<ServerResponse, () => void>();
  return {
    add: (response, end) => {
      open.set(response, end);
      response.once('close', () => open.delete(response));
    },
    askToClose: () => {
      for (const response of open.keys()) if (!response.headersSent) response.setHeader('connection', 'close');
    },
    endAll: () => {
      for (const [response, end] of open) if (!response.headersSent) end();
    },
  };
};
