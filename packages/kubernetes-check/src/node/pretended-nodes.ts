import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type Report } from '@weft/local-stack';
import { unless, type ApiClient } from './api-client';
import type { ListOf, Pod } from './objects';
import { LEASE_MS, registerNode, renewLease } from './node-lease';
import { podStatus } from './pod-status';

/** Nodes on which nothing runs: pods that the scheduler places there are reported as ready. */
export interface PretendedNodes {
  /** Their zones, by their names. */
  readonly zones: ReadonlyMap<string, string>;
  readonly stop: () => Promise<void>;
}

const LOOK_MS = 300;
/** A pod that was placed is ready after this. */
const READY_MS = 1_500;

/** Reports that placed pods run, and that deleted pods have ended. */
const keepPods = (api: ApiClient): (() => Promise<void>) => {
  const since = new Map<string, number>();
  const ready = new Set<string>();
  const tellReady = async ({ metadata: { uid, namespace, name }, spec }: Pod): Promise<void> => {
    const [container] = spec.containers;
    if (container === undefined) return;
    const now = new Date().toISOString();
    const status = podStatus({
      ip: `10.245.${ready.size >> 8}.${ready.size & 255}`,
      container,
      startTime: now,
      runningSince: now,
      isReady: true,
      isStarted: true,
      restarts: 0,
      waitsFor: '',
      message: '',
      lastEnd: undefined,
    });
    ready.add(uid);
    await unless(404, api.send('MERGE', `/api/v1/namespaces/${namespace}/pods/${name}/status`, { status }));
  };
  return async () => {
    const { items } = await api.get<ListOf<Pod>>('/api/v1/pods');
    for (const pod of items) {
      const { uid, namespace, name, deletionTimestamp } = pod.metadata;
      const options = { gracePeriodSeconds: 0, preconditions: { uid } };
      if (deletionTimestamp !== undefined)
        await unless(404, api.send('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`, options));
      else if (pod.spec.nodeName !== undefined && !ready.has(uid)) {
        const placed = since.get(uid) ?? Date.now();
        since.set(uid, placed);
        if (Date.now() - placed >= READY_MS) await tellReady(pod);
      }
    }
  };
};

/** Brings `count` nodes, spread evenly over `zoneCount` zones. */
export const pretendNodes = async (
  api: ApiClient,
  count: number,
  zoneCount: number,
  report: Report,
): Promise<PretendedNodes> => {
  const zones = new Map(
    Array.from({ length: count }, (_, index) => [`node-${index}`, `zone-${index % zoneCount}`] as const),
  );
  for (const [name, zone] of zones) {
    const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone };
    await registerNode(api, name, labels);
  }
  let isStopped = false;
  const repeat = async (everyMs: number, work: () => Promise<void>): Promise<void> => {
    while (!isStopped) {
      await work().catch((error: unknown) => {
        if (!isStopped) report(messageOf(error));
      });
      await sleep(everyMs);
    }
  };
  const loops = [
    repeat(LOOK_MS, keepPods(api)),
    repeat(LEASE_MS, async () => {
      for (const name of zones.keys()) await renewLease(api, name);
    }),
  ];
  return {
    zones,
    stop: async () => {
      isStopped = true;
      await Promise.all(loops);
      api.close();
    },
  };
};
