import { setTimeout as sleep } from 'node:timers/promises';
import { isServing, statusOf } from '@weft/local-stack';
import type { Probe } from './objects';

/** Kubernetes' defaults. */
const PERIOD_S = 10;
const TIMEOUT_S = 1;
const FAILURES = 3;

const probeOnce = async (host: string, { grpc, httpGet, timeoutSeconds = TIMEOUT_S }: Probe): Promise<boolean> => {
  const timeoutMs = timeoutSeconds * 1_000;
  if (httpGet !== undefined) {
    const status = await statusOf({ host, port: httpGet.port, timeoutMs }, httpGet.path);
    return status !== undefined && status < 400;
  }
  return grpc === undefined || isServing({ host, port: grpc.port, timeoutMs }, grpc.service);
};

/** Decides whether to probe again: `isOver` after as many failures in a row as the probe allows. */
type OnResult = (isFine: boolean, isOver: boolean) => 'continue' | 'stop';

/** Probes until the pod stops or `onResult` says so. */
export const probeUntil = async (
  host: string,
  probe: Probe,
  isWanted: () => boolean,
  onResult: OnResult,
): Promise<void> => {
  await sleep((probe.initialDelaySeconds ?? 0) * 1_000);
  let failures = 0;
  while (isWanted()) {
    const isFine = await probeOnce(host, probe);
    if (!isWanted()) return;
    failures = isFine ? 0 : failures + 1;
    if (onResult(isFine, failures >= (probe.failureThreshold ?? FAILURES)) === 'stop') return;
    await sleep((probe.periodSeconds ?? PERIOD_S) * 1_000);
  }
};
