import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, serveDns } from '@weft/local-stack';
import { unless } from './api-client';
import type { EndpointSlice, ListOf, Pod, Service } from './objects';
import { createNameCache } from './name-cache';
import { LEASE_MS, MAX_PODS, registerNode, renewLease } from './node-lease';
import { startPod, type PodHost, type RunningPod } from './pod-runner';
import { proxyService, type ServiceProxy } from './service-proxy';

/** Addresses of the cluster, all of which belong to the network namespace of the node. */
export const CLUSTER_NETWORK = { dns: '10.244.0.10', pods: '10.244.1', services: '10.96.0.0/16' } as const;

/** A node whose containers are processes. */
export interface NodeAgent {
  /** Its pods that are not removed yet. */
  readonly pods: () => readonly RunningPod[];
  /** Addresses of a Service that are ready now. */
  readonly endpointsOf: (namespace: string, service: string) => readonly string[];
  /** Makes the cluster's DNS repeat its answers for this many milliseconds from now on; 0, the default: not at all. */
  readonly keepNamesFor: (ms: number) => void;
  readonly stop: () => Promise<void>;
}

const NODE = 'processes';
/** A kubelet watches; a poll every 300 ms is as late as a busy kubelet. */
const LOOK_MS = 300;
const FIRST_ADDRESS = 10;

/** The node's part of one cluster. */
class ProcessNode implements NodeAgent {
  readonly #pods = new Map<string, RunningPod>();
  readonly #terminating = new Set<string>();
  readonly #proxies = new Map<string, ServiceProxy>();
  readonly #free = Array.from({ length: MAX_PODS }, (_, n) => `${CLUSTER_NETWORK.pods}.${n + FIRST_ADDRESS}`);
  #services = new Map<string, Service>();
  #endpoints = new Map<string, readonly string[]>();
  #isStopped = false;
  readonly #names = createNameCache((name) => this.#lookUp(name));
  #closeDns: () => void = () => undefined;
  #loops: Promise<unknown> = Promise.resolve();

  constructor(private readonly host: PodHost) {}

  async start(): Promise<void> {
    await registerNode(this.host.api, NODE);
    this.#closeDns = await serveDns(CLUSTER_NETWORK.dns, this.#names.lookUp);
    this.#loops = Promise.all([
      this.#loop(LOOK_MS, () => this.#lookAtPods()),
      this.#loop(LOOK_MS, () => this.#lookAtServices()),
      this.#loop(LEASE_MS, () => renewLease(this.host.api, NODE)),
    ]);
  }

  pods(): readonly RunningPod[] {
    return [...this.#pods.values()];
  }

  endpointsOf(namespace: string, service: string): readonly string[] {
    return this.#endpoints.get(`${namespace}/${service}`) ?? [];
  }

  keepNamesFor(ms: number): void {
    this.#names.keepFor(ms);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const pod of this.#pods.values()) pod.kill();
    for (const proxy of this.#proxies.values()) proxy.close();
    this.#closeDns();
    await this.#loops;
    this.host.api.close();
  }

  async #loop(everyMs: number, look: () => Promise<void>): Promise<void> {
    while (!this.#isStopped) {
      try {
        await look();
      } catch (error) {
        if (!this.#isStopped) this.host.report(messageOf(error));
      }
      await sleep(everyMs);
    }
  }

  async #lookAtPods(): Promise<void> {
    const { items } = await this.host.api.get<ListOf<Pod>>('/api/v1/pods');
    for (const pod of items) {
      const { uid, namespace, name, deletionTimestamp } = pod.metadata;
      const running = this.#pods.get(uid);
      if (deletionTimestamp !== undefined) {
        if (!this.#terminating.has(uid)) this.#terminate(pod, running);
      } else if (pod.spec.nodeName === undefined) {
        // There is no scheduler, since there is only one node.
        const target = { apiVersion: 'v1', kind: 'Node', name: NODE };
        const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target };
        await unless(409, this.host.api.send('POST', `/api/v1/namespaces/${namespace}/pods/${name}/binding`, binding));
      } else if (running === undefined) {
        const ip = this.#free.shift();
        if (ip === undefined) throw new Error(`No more than ${MAX_PODS} pods run at a time.`);
        this.#pods.set(uid, startPod(this.host, pod, ip));
      }
    }
  }

  #terminate(pod: Pod, running: RunningPod | undefined): void {
    const { uid, namespace, name } = pod.metadata;
    this.#terminating.add(uid);
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    const ended =
      running === undefined
        ? unless(404, this.host.api.send('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`, options))
        : running.terminate(pod);
    void ended.then(
      () => {
        this.#pods.delete(uid);
        this.#terminating.delete(uid);
        // Addresses are used again as late as possible: a client may still know the former owner.
        if (running !== undefined) this.#free.push(running.ip);
      },
      (error: unknown) => {
        this.#terminating.delete(uid);
        this.host.report(messageOf(error));
      },
    );
  }

  async #lookAtServices(): Promise<void> {
    const { items: services } = await this.host.api.get<ListOf<Service>>('/api/v1/services');
    const { items: slices } = await this.host.api.get<ListOf<EndpointSlice>>(
      '/apis/discovery.k8s.io/v1/endpointslices',
    );
    const endpoints = new Map<string, readonly string[]>();
    for (const { metadata, endpoints: listed } of slices) {
      const key = `${metadata.namespace}/${metadata.labels?.['kubernetes.io/service-name'] ?? ''}`;
      const ready = (listed ?? []).filter(({ conditions }) => conditions?.ready !== false);
      endpoints.set(key, [...(endpoints.get(key) ?? []), ...ready.flatMap(({ addresses }) => addresses)]);
    }
    this.#endpoints = endpoints;
    this.#services = new Map(services.map((one) => [`${one.metadata.namespace}/${one.metadata.name}`, one]));
    for (const [key, service] of this.#services) await this.#proxy(key, service);
  }

  async #proxy(key: string, { spec }: Service): Promise<void> {
    const { clusterIP = 'None', ports = [] } = spec;
    if (clusterIP === 'None') return;
    for (const { port, targetPort } of ports) {
      const name = `${key}:${port}`;
      if (typeof targetPort !== 'number' || this.#proxies.has(name)) continue;
      this.#proxies.set(name, await proxyService(clusterIP, port, targetPort, () => this.#endpoints.get(key) ?? []));
    }
  }

  #lookUp(name: string): readonly string[] | undefined {
    const [, service = '', namespace = ''] = /^([^.]+)\.([^.]+)\.svc\.cluster\.local$/.exec(name) ?? [];
    const key = `${namespace}/${service}`;
    const clusterIP = this.#services.get(key)?.spec.clusterIP;
    if (clusterIP === undefined) return undefined;
    if (clusterIP !== 'None') return [clusterIP];
    const addresses = this.#endpoints.get(key) ?? [];
    return addresses.length === 0 ? undefined : addresses;
  }
}

/** Starts a node on which every pod of the cluster runs. It needs the addresses of {@link CLUSTER_NETWORK}. */
export const startNode = async (host: PodHost): Promise<NodeAgent> => {
  const node = new ProcessNode(host);
  // However this process ends, short of SIGKILL, its pods end with it.
  process.once('exit', () => node.pods().forEach((pod) => pod.kill()));
  await node.start();
  return node;
};
