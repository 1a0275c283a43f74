import { InFlightSet } from '@weft/service-kit/in-flight';
import type { SocketBounds } from '../guard/guarded-agents';

/** Limits the concurrent requests to a host, and in all; the others wait in order of arrival. */
export interface RequestGate {
  /**
   * Resolves when the request may go, with a function to call at its end, which has an effect once; rejects with the
   * signal's reason.
   */
  enter(origin: string, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly origin: string;
  readonly admit: () => void;
}

/** A gate with the bounds of sockets, for agents that cannot count sockets which are still being opened. */
export function requestGate({ perHost, total }: Pick<SocketBounds, 'perHost' | 'total'>): RequestGate {
  const inside = new Map<string, number>();
  const waiting = new InFlightSet<Waiting>();
  let all = 0;
  const fits = (origin: string): boolean => all < total && (inside.get(origin) ?? 0) < perHost;
  const admitted = (origin: string): (() => void) => {
    all += 1;
    inside.set(origin, (inside.get(origin) ?? 0) + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      all -= 1;
      const left = (inside.get(origin) ?? 1) - 1;
      if (left === 0) inside.delete(origin);
      else inside.set(origin, left);
      for (const next of waiting) {
        if (fits(next.origin)) return next.admit();
      }
    };
  };
  return {
    enter: (origin, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (fits(origin)) return resolve(admitted(origin));
        const giveUp = (): void => {
          leave();
          reject(signal.reason);
        };
        const leave = waiting.add({
          origin,
          admit: () => {
            leave();
            signal.removeEventListener('abort', giveUp);
            resolve(admitted(origin));
          },
        });
        signal.addEventListener('abort', giveUp, { once: true });
      }),
  };
}
