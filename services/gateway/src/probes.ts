import { showReady } from '@weft/service-kit/metrics';
import type { ServerResponse } from 'node:http';

/** Liveness and readiness probes of Kubernetes. */
export interface Probes {
  /** Answers /livez and /readyz; false if the path is neither. */
  readonly answer: (path: string, response: ServerResponse) => boolean;
  /** Turned off before the process drains. */
  readonly setReady: (isReady: boolean) => void;
  readonly isReady: () => boolean;
}

const write = (response: ServerResponse, isWell: boolean): void => {
  response
    .writeHead(isWell ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' })
    .end(isWell ? '{"status":"ok"}' : '{"status":"stopping"}');
};

/** Own state only: a peer that is down must not take every gateway out of service. */
export const createProbes = (): Probes => {
  let ready = false;
  showReady('drain', () => ready);
  return {
    answer: (path, response) => {
      if (path !== '/livez' && path !== '/readyz') return false;
      write(response, path === '/livez' || ready);
      return true;
    },
    setReady: (isReady) => {
      ready = isReady;
    },
    isReady: () => ready,
  };
};
