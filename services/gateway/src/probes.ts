import { showReady } from '@weft/service-kit/metrics';
import type { ServerResponse } from 'node:http';

/** Liveness and readiness probes of Kubernetes. */
export interface Probes {
  /** Answers /livez and /readyz; false if the path is neither. */
  readonly answer: (path: string, response: ServerResponse) => boolean;
  /** Set to false before the process drains. */
  readonly setReady: (isReady: boolean) => void;
  readonly isReady: () => boolean;
}

type Status = 'ok' | 'stopping' | 'settings differ' | 'refused by its peers';

const write = (response: ServerResponse, status: Status): void => {
  response
    .writeHead(status === 'ok' ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify({ status }));
};

/**
 * Peers are not checked: one that is down must not take every gateway out of service.
 * @param hasSettings false while settings differ from those of a peer
 * @param isTrusted false while peers refuse the tokens of this process
 */
export const createProbes = (hasSettings: () => boolean, isTrusted: () => boolean): Probes => {
  let ready = false;
  const statusOf = (): Status => {
    if (!ready) return 'stopping';
    if (!hasSettings()) return 'settings differ';
    return isTrusted() ? 'ok' : 'refused by its peers';
  };
  showReady('drain', () => ready);
  return {
    answer: (path, response) => {
      if (path !== '/livez' && path !== '/readyz') return false;
      write(response, path === '/livez' ? 'ok' : statusOf());
      return true;
    },
    setReady: (isReady) => {
      ready = isReady;
    },
    isReady: () => statusOf() === 'ok',
  };
};
