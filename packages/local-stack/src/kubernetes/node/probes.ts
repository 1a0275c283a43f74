import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentials, Metadata } from '@grpc/grpc-js';
import { HealthCheckResponse_ServingStatus as Serving, HealthClient } from '@weft/proto/health';
import type { Probe } from './objects';

/** Kubernetes' defaults. */
const PERIOD_S = 10;
const TIMEOUT_S = 1;
const FAILURES = 3;

const isListening = (host: string, port: number, timeout: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout });
    const finish = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
    socket.once('timeout', () => finish(false));
  });

const isServing = (host: string, port: number, service: string, timeoutMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const client = new HealthClient(`ipv4:${host}:${port}`, credentials.createInsecure());
    client.check({ service }, new Metadata(), { deadline: Date.now() + timeoutMs }, (error, answer) => {
      client.close();
      resolve(error === null && answer.status === Serving.SERVING);
    });
  });

const isAnswered = async (host: string, port: number, path: string, timeoutMs: number): Promise<boolean> => {
  try {
    const answer = await fetch(`http://${host}:${port}${path}`, {
      signal: AbortSignal.timeout(timeoutMs),
      // A probe must not hold a connection open in a process that drains.
      headers: { connection: 'close' },
    });
    await answer.arrayBuffer();
    return answer.status < 400;
  } catch {
    return false;
  }
};

/** Asks once. */
export const probeOnce = async (
  host: string,
  { grpc, httpGet, timeoutSeconds = TIMEOUT_S }: Probe,
): Promise<boolean> => {
  const timeoutMs = timeoutSeconds * 1_000;
  if (httpGet !== undefined) return isAnswered(host, httpGet.port, httpGet.path, timeoutMs);
  if (grpc === undefined) return true;
  // A channel that met a closed port would wait a second before it tries again.
  if (!(await isListening(host, grpc.port, timeoutMs))) return false;
  return isServing(host, grpc.port, grpc.service ?? '', timeoutMs);
};

/** What a result means: `isOver` after as many failures in a row as the probe allows. */
type OnResult = (isFine: boolean, isOver: boolean) => 'go on' | 'stop';

/** Asks again and again while that is wanted. */
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
