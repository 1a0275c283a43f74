import { join } from 'node:path';
import { StackError } from '../errors';
import { ManagedProcess } from '../processes/managed-process';
import type { ProcessEnd } from '../processes/managed-process';
import { compileCache, findPlaces } from '../places';
import { waitUntil } from '../wait-until';
import type { DataFolder } from './data-folder';
import { isHealthy } from './health';
import { SERVICE_NODE_FLAGS, type ServiceName, youngGenerationFlags } from './services';

/** Settings with which one process of the stack is started, each time again. */
export interface StackProcessPlan {
  readonly service: ServiceName;
  /** Number among the replicas of its service, from 0. */
  readonly index: number;
  readonly port: number;
  /** Compiled file that it runs. */
  readonly main: string;
  /**
   * Whether stack traces in its log name lines of sources, as in an image; reading the maps takes a sixth of the CPU
   * time of a start.
   */
  readonly hasSourceMaps: boolean;
  /** Current folder. */
  readonly cwd: string;
  /** Its environment, but for the settings. */
  readonly env: Readonly<Record<string, string>>;
  /** Further variables, over the others. */
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: DataFolder;
}

const READY_LIMIT_MS = 60_000;
const STOP_MANNER = { signal: 'SIGTERM', graceMs: 25_000 } as const;

/** One process of the stack, which can be ended and started again on the same port. */
export class StackProcess {
  private current: ManagedProcess;

  private constructor(private plan: StackProcessPlan) {
    this.current = spawnService(plan);
  }

  /** Starts the process and returns at once; {@link waitUntilHealthy} waits until it takes work. */
  static start(plan: StackProcessPlan): StackProcess {
    return new StackProcess(plan);
  }

  get service(): ServiceName {
    return this.plan.service;
  }

  get index(): number {
    return this.plan.index;
  }

  get port(): number {
    return this.plan.port;
  }

  get pid(): number {
    return this.current.pid;
  }

  get logFile(): string {
    return this.current.logFile;
  }

  get hasEnded(): boolean {
    return this.current.hasEnded;
  }

  /** The variables of this stack beyond those of every stack. */
  get settings(): Readonly<Record<string, string>> {
    return this.plan.settings;
  }

  /** Resolves when the process that runs now has ended. */
  get ended(): Promise<ProcessEnd> {
    return this.current.ended;
  }

  /** Sends a signal and does not wait; `SIGKILL` is how a crash is played. */
  kill(signal: NodeJS.Signals): void {
    this.current.kill(signal);
  }

  /** SIGTERM, and SIGKILL after 25 s; returns when it has ended. */
  stop(): Promise<void> {
    return this.current.stop();
  }

  /**
   * Stops the process if it still runs, starts it again, with other settings if some are given, and waits until it is
   * healthy.
   */
  async restart(settings = this.plan.settings): Promise<void> {
    await this.current.stop();
    this.plan = { ...this.plan, settings };
    this.current = spawnService(this.plan);
    await this.waitUntilHealthy();
  }

  /** Sets the compiled file that the next start runs, such as that of another release. */
  setProgram(main: string): void {
    this.plan = { ...this.plan, main };
  }

  /** Sets whether this process stays alive for as long as that one runs; by default it does. */
  holdParent(holds: boolean): void {
    this.current.holdParent(holds);
  }

  /** Throws a sentence if the process ends, or does not become healthy within a minute. */
  async waitUntilHealthy(): Promise<void> {
    const { service, port, settings } = this.plan;
    const metricsPort = Number(settings['METRICS_PORT'] ?? 0);
    const healthy = await waitUntil(
      () => {
        this.current.throwIfEnded();
        return isHealthy(service, port, metricsPort === 0 ? undefined : metricsPort);
      },
      { limitMs: READY_LIMIT_MS, everyMs: 40 },
    );
    if (!healthy)
      throw new StackError(
        `${this.current.name} did not get healthy within ${READY_LIMIT_MS / 1000} s; its log is ${this.logFile}.`,
      );
  }

  /** Describes its end in a sentence with its last log lines. */
  describeEnd(): StackError {
    return this.current.describeEnd();
  }
}

function spawnService({
  service,
  index,
  main,
  hasSourceMaps,
  cwd,
  env,
  settings,
  folder,
}: StackProcessPlan): ManagedProcess {
  const name = index === 0 ? service : `${service}-${index}`;
  return ManagedProcess.start({
    name,
    command: process.execPath,
    args: [
      ...(hasSourceMaps ? ['--enable-source-maps'] : []),
      ...SERVICE_NODE_FLAGS,
      ...youngGenerationFlags(service),
      main,
    ],
    env: { NODE_COMPILE_CACHE: compileCache(findPlaces(process.env).checkout), ...env, ...settings },
    cwd,
    logFile: join(folder.path, 'logs', `${name}.log`),
    stopManner: STOP_MANNER,
    ledger: folder.ledger,
  });
}
