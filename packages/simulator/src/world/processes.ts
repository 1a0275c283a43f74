import type { Logger } from '@weft/service-kit/logging';
import type { Config as ExecutionsConfig } from '../../../../services/executions/src/config';
import type { Config as RunnerConfig } from '../../../../services/runner/src/config';
import { createProcess, type SimulatedProcess, within } from '../time/simulated-process';
import type { Program } from './children';
import { noPools } from './installation';
import { loadModule } from './modules';

interface Running {
  readonly stop: () => Promise<void>;
}

interface ExecutionsServer {
  readonly createServer: (config: ExecutionsConfig, logger: Logger) => Promise<Running>;
}

interface RunnerServer {
  readonly createServer: (config: RunnerConfig, logger: Logger, options: object) => Promise<Running>;
}

interface ConfigModule<Config> {
  readonly config: { readonly load: (environment: Readonly<Record<string, string>>) => Config };
}

type ChildProgram = (config: RunnerConfig, logger: Logger, send: (message: object) => void) => ReturnType<Program>;

/** A started process of a service. */
export interface Started {
  readonly process: SimulatedProcess;
  /** Asks it to stop, as SIGTERM does; undefined while it is starting. */
  stop: (() => Promise<void>) | undefined;
}

export interface Starting {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logger: Logger;
  /** Called if the process ends with an error. */
  readonly onFailed: (error: unknown) => void;
}

const started = ({ name, onFailed }: Starting, open: () => Promise<Running>): Started => {
  const running: Started = { process: createProcess(name), stop: undefined };
  within(running.process, () => {
    open().then((server) => {
      running.stop = () => within(running.process, () => server.stop());
    }, onFailed);
  });
  return running;
};

type Environment = Readonly<Record<string, string>>;

/** Reads the configuration of a service, once for equal environments: reading one parses keys. */
const createConfigs = <Config extends object>(project: string): ((environment: Environment) => Config) => {
  const known = new Map<string, Config>();
  return (environment) => {
    const key = JSON.stringify(environment);
    const found = known.get(key) ?? loadModule<ConfigModule<Config>>(project, 'config').config.load(environment);
    known.set(key, found);
    return found;
  };
};

const executionsConfig = createConfigs<ExecutionsConfig>('services/executions');
const runnerConfig = createConfigs<RunnerConfig>('services/runner');

/** Starts a replica of executions. */
export const startExecutions = (starting: Starting): Started =>
  started(starting, () =>
    loadModule<ExecutionsServer>('services/executions', 'server').createServer(
      executionsConfig(starting.environment),
      starting.logger,
    ),
  );

/** Starts a runner. */
export const startRunner = (starting: Starting): Started =>
  started(starting, () =>
    loadModule<RunnerServer>('services/runner', 'server').createServer(
      runnerConfig(starting.environment),
      starting.logger,
      { openPools: noPools },
    ),
  );

/** The program of a child process of a runner, by its path. */
export const childProgram =
  (environment: Readonly<Record<string, string>>, logger: Logger) =>
  (path: string): Program => {
    const isIsolated = path.includes('isolation');
    const module = isIsolated ? 'isolation/isolated-executor' : 'over-share/over-share-executor';
    const name = isIsolated ? 'createIsolatedExecutor' : 'createOverShareExecutor';
    const create = loadModule<Readonly<Record<string, ChildProgram>>>('services/runner', module)[name];
    if (create === undefined) throw new Error(`The runner has no program at ${path}.`);
    return (send) => create(runnerConfig(environment), logger, send);
  };
