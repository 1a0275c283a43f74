import type { Container } from './objects';

/** The last end of a container. */
export interface LastEnd {
  readonly exitCode: number;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly reason: 'Completed' | 'Error' | 'OOMKilled';
}

/** State of a pod with one container. */
export interface PodState {
  readonly ip: string;
  readonly container: Container;
  readonly startTime: string;
  /** Undefined: its process does not run. */
  readonly runningSince: string | undefined;
  readonly isReady: boolean;
  readonly isStarted: boolean;
  readonly restarts: number;
  /** Reason for which it does not run; empty if it does. */
  readonly waitsFor: string;
  readonly message: string;
  readonly lastEnd: LastEnd | undefined;
}

/** The status of a pod, as the API server stores it. */
export const podStatus = (state: PodState): object => {
  const { ip, container, startTime, runningSince, isReady, isStarted, restarts, waitsFor, message, lastEnd } = state;
  const now = new Date().toISOString();
  const condition = (type: string, is: boolean): object => ({
    type,
    status: is ? 'True' : 'False',
    lastTransitionTime: now,
  });
  const isRunning = runningSince !== undefined;
  return {
    phase: isRunning || restarts > 0 ? 'Running' : 'Pending',
    podIP: ip,
    podIPs: [{ ip }],
    startTime,
    conditions: [
      { type: 'PodScheduled', status: 'True', lastTransitionTime: startTime },
      condition('Initialized', isRunning || restarts > 0),
      condition('ContainersReady', isReady),
      condition('Ready', isReady),
    ],
    containerStatuses: [
      {
        name: container.name,
        image: container.image,
        imageID: '',
        ready: isReady,
        started: isStarted,
        restartCount: restarts,
        state: isRunning
          ? { running: { startedAt: runningSince } }
          : { waiting: { reason: waitsFor === '' ? 'ContainerCreating' : waitsFor, message } },
        ...(lastEnd === undefined ? {} : { lastState: { terminated: lastEnd } }),
      },
    ],
  };
};
