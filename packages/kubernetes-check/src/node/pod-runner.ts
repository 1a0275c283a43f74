import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type Report } from '@weft/local-stack';
import { unless, type ApiClient } from './api-client';
import type { MemoryUse } from './memory-group';
import type { Container, Pod, Probe } from './objects';
import { environmentOf, makeVolumes, userOf } from './pod-files';
import { PodMemory } from './pod-memory';
import { probeUntil } from './probes';
import { podStatus, type LastEnd } from './pod-status';

/** Program of an image. */
export interface Program {
  readonly cwd: string;
  /** Command line of a container; of the image without a command. */
  readonly argvOf: (command: readonly string[] | undefined) => readonly [string, ...string[]];
}

/** Resources that the pods of a node share. */
export interface PodHost {
  readonly api: ApiClient;
  /** The program of an image, whose tag does not count. @throws Error if there is none */
  readonly programOf: (image: string) => Program;
  /** Folder for the volumes and logs of pods. */
  readonly folder: string;
  readonly report: Report;
}

/** A pod whose containers are processes. */
export interface RunningPod {
  readonly name: string;
  readonly ip: string;
  readonly logFile: string;
  /** How much of the memory limit its processes have taken, restarts included; zeros where nothing limits them. */
  readonly memory: () => MemoryUse;
  /** Ends it as its deletion demands, and removes it from the API server. */
  readonly terminate: (pod: Pod) => Promise<void>;
  /** Kills it at once, without a notice. */
  readonly kill: () => void;
}

/** Kubernetes restarts at once, then after 10 s, 20 s and so on. */
const BACK_OFF_MS = 10_000;
const MAX_BACK_OFF_MS = 300_000;
const RETRY_MS = 2_000;
const DEFAULT_GRACE_S = 30;

const backOffMs = (restarts: number): number =>
  restarts === 0 ? 0 : Math.min(MAX_BACK_OFF_MS, BACK_OFF_MS * 2 ** (restarts - 1));

/** One pod with one container, after its init containers. */
class ProcessPod implements RunningPod {
  readonly name: string;
  readonly logFile: string;
  readonly #home: string;
  readonly #container: Container;
  readonly #startTime = new Date().toISOString();
  #child: ChildProcess | undefined;
  readonly #memory: PodMemory;
  #isTerminating = false;
  #isReady = false;
  #isStarted = false;
  #restarts = 0;
  #since = '';
  #waitsFor = 'ContainerCreating';
  #lastEnd: LastEnd | undefined;
  #telling: Promise<void> = Promise.resolve();

  constructor(
    private readonly host: PodHost,
    private readonly pod: Pod,
    readonly ip: string,
  ) {
    this.name = pod.metadata.name;
    this.#home = join(host.folder, this.name);
    this.#memory = new PodMemory(this.name);
    this.logFile = join(this.#home, 'log');
    const [container, ...others] = pod.spec.containers;
    if (container === undefined || others.length > 0) throw new Error(`The pod ${this.name} must have one container.`);
    this.#container = container;
    mkdirSync(this.#home, { recursive: true });
  }

  memory(): MemoryUse {
    return this.#memory.use();
  }

  /** Runs until it is terminated. Every error is shown as the reason for which it waits, and retried. */
  async run(): Promise<void> {
    let done = 0;
    const initial = this.pod.spec.initContainers ?? [];
    while (!this.#isTerminating) {
      try {
        await makeVolumes(this.host.api, this.pod, this.#home);
        for (; done < initial.length && !this.#isTerminating; done += 1) await this.#runToItsEnd(initial[done]);
        if (!this.#isTerminating) await this.#serve();
      } catch (error) {
        if (this.#isTerminating) return;
        this.#tell('CreateContainerConfigError', messageOf(error));
        await sleep(RETRY_MS);
      }
    }
  }

  #spawn(container: Container, env: Readonly<Record<string, string>>): ChildProcess {
    const { cwd, argvOf } = this.host.programOf(container.image);
    const [command, ...args] = argvOf(container.command);
    const log = openSync(this.logFile, 'a', 0o600);
    try {
      return spawn(command, args, { cwd, env, stdio: ['ignore', log, log], ...userOf(this.pod) });
    } finally {
      closeSync(log);
    }
  }

  async #start(container: Container): Promise<{ readonly child: ChildProcess; readonly ended: Promise<number> }> {
    const env = await environmentOf(this.host.api, this.pod, container, this.#home);
    // All pods share one network, in which each has a separate address.
    const child = this.#spawn(container, env['HOST'] === undefined ? env : { ...env, HOST: this.ip });
    this.#child = child;
    this.#memory.limit(container, child.pid);
    const ended = new Promise<number>((resolve) => {
      child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 143)));
      child.once('error', (error) => {
        this.host.report(`${this.name} cannot be started: ${error.message}`);
        resolve(127);
      });
    });
    return { child, ended };
  }

  async #runToItsEnd(container: Container | undefined): Promise<void> {
    if (container === undefined) return;
    this.#tell('PodInitializing');
    const { ended } = await this.#start(container);
    const code = await ended;
    this.#child = undefined;
    this.#memory.close();
    if (code !== 0) throw new Error(`The init container ${container.name} ended with ${code}.`);
  }

  /** Starts the process, probes it, and returns when it has ended and its back-off is over. */
  async #serve(): Promise<void> {
    const { child, ended } = await this.#start(this.#container);
    this.#since = new Date().toISOString();
    this.#isStarted = this.#container.startupProbe === undefined;
    this.#tell('');
    void this.#probe(child);
    const code = await ended;
    this.#child = undefined;
    this.#isReady = false;
    this.#isStarted = false;
    const lackedMemory = this.#memory.close();
    if (this.#isTerminating) return;
    this.host.report(`${this.name} ended with ${code}${lackedMemory ? ' for lack of memory' : ''}`);
    this.#lastEnd = {
      exitCode: code,
      startedAt: this.#since,
      finishedAt: new Date().toISOString(),
      reason: code === 0 ? 'Completed' : lackedMemory ? 'OOMKilled' : 'Error',
    };
    const pauseMs = backOffMs(this.#restarts);
    this.#restarts += 1;
    this.#tell(pauseMs > 0 ? 'CrashLoopBackOff' : 'Error');
    await sleep(pauseMs);
  }

  async #probe(child: ChildProcess): Promise<void> {
    const { startupProbe, readinessProbe, livenessProbe } = this.#container;
    const isWanted = (): boolean => this.#child === child && !this.#isTerminating;
    const kill = (why: string): 'stop' => {
      this.host.report(`${this.name}: ${why}`);
      this.#end(child, this.pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_S);
      return 'stop';
    };
    const each = (probe: Probe | undefined, onResult: (isFine: boolean, isOver: boolean) => 'continue' | 'stop') =>
      probe === undefined ? Promise.resolve() : probeUntil(this.ip, probe, isWanted, onResult);
    await each(startupProbe, (isFine, isOver) => {
      if (isFine) this.#isStarted = true;
      else if (isOver) return kill('its startup probe failed');
      return isFine ? 'stop' : 'continue';
    });
    if (!this.#isStarted) return;
    if (readinessProbe === undefined) this.#setReady(true);
    void each(readinessProbe, (isFine, isOver) => {
      if (isFine || isOver) this.#setReady(isFine);
      return 'continue';
    });
    void each(livenessProbe, (_, isOver) => (isOver ? kill('its liveness probe failed') : 'continue'));
  }

  #setReady(isReady: boolean): void {
    if (this.#isReady === isReady) return;
    this.#isReady = isReady;
    this.#tell('');
  }

  #end(child: ChildProcess, graceSeconds: number): void {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), graceSeconds * 1_000);
    child.once('exit', () => clearTimeout(timer));
  }

  /** Reports its state to the API server, in the order of the changes. */
  #tell(waitsFor: string, message = ''): void {
    this.#waitsFor = waitsFor;
    const status = podStatus({
      ip: this.ip,
      container: this.#container,
      startTime: this.#startTime,
      runningSince: this.#isTerminating || this.#waitsFor !== '' ? undefined : this.#since,
      isReady: this.#isReady,
      isStarted: this.#isStarted,
      restarts: this.#restarts,
      waitsFor,
      message,
      lastEnd: this.#lastEnd,
    });
    const { namespace, name } = this.pod.metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/status`;
    this.#telling = this.#telling
      .then(() => unless(404, this.host.api.send('MERGE', path, { status })))
      .catch((error: unknown) => this.host.report(messageOf(error)));
  }

  async terminate({ metadata }: Pod): Promise<void> {
    this.#isTerminating = true;
    const child = this.#child;
    const graceMs = (metadata.deletionGracePeriodSeconds ?? DEFAULT_GRACE_S) * 1_000;
    const until = Date.now() + graceMs;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      const pauseMs = Math.min(graceMs, (this.#container.lifecycle?.preStop?.sleep?.seconds ?? 0) * 1_000);
      await Promise.race([ended, sleep(pauseMs)]);
      child.kill('SIGTERM');
      const timer = setTimeout(
        () => {
          this.host.report(`${this.name}: its grace period is over`);
          child.kill('SIGKILL');
        },
        Math.max(0, until - Date.now()),
      );
      await ended;
      clearTimeout(timer);
    }
    await this.#telling;
    const { namespace, name, uid } = metadata;
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    await unless(404, this.host.api.send('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`, options));
  }

  kill(): void {
    this.#isTerminating = true;
    this.#child?.kill('SIGKILL');
  }
}

/** Starts a pod and returns at once. */
export const startPod = (host: PodHost, pod: Pod, ip: string): RunningPod => {
  const started = new ProcessPod(host, pod, ip);
  void started.run();
  return started;
};
