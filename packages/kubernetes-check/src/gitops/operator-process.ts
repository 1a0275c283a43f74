import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ledger, ManagedProcess, waitUntil } from '@weft/local-stack';
import { root } from '@weft/e2e/services';

/** The operator as a process of this machine. */
export interface OperatorProcess {
  /** Starts it; with further settings, if any. */
  readonly start: (env?: Readonly<Record<string, string>>) => void;
  /** Resolves when its metrics can be read. @returns false if they cannot within half a minute */
  readonly isUp: () => Promise<boolean>;
  readonly kill: () => Promise<void>;
  /** Stops it as Kubernetes does. */
  readonly stop: () => Promise<void>;
  /** Sum of the series of a metric whose labels contain a text. */
  readonly metric: (name: string, labels?: string) => Promise<number>;
  /** Resident memory in megabytes, in total and without files. */
  readonly memory: () => { readonly total: number; readonly anonymous: number };
}

/** As in the manifest of the component. */
const FLAGS = ['--enable-source-maps', '--max-old-space-size=64', '--max-semi-space-size=2'];

const UP_LIMIT_MS = 30_000;

/** @param env settings of every start */
export const createOperatorProcess = (folder: string, env: Readonly<Record<string, string>>): OperatorProcess => {
  const metricsUrl = `http://127.0.0.1:${env['METRICS_PORT']}/metrics`;
  const isAnswering = (): Promise<boolean> =>
    fetch(metricsUrl).then(
      ({ ok }) => ok,
      () => false,
    );
  const ledger = new Ledger(join(folder, 'run'));
  let running: ManagedProcess | undefined;
  let starts = 0;
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const ending = running;
    running = undefined;
    if (ending === undefined) return;
    process.kill(ending.pid, signal);
    await ending.ended;
  };
  return {
    start: (more = {}) => {
      starts += 1;
      running = ManagedProcess.start({
        name: `operator-${starts}`,
        command: process.execPath,
        args: [...FLAGS, 'dist/src/main.js'],
        cwd: join(root, 'services/operator'),
        env: { PATH: process.env['PATH'], ...env, ...more },
        logFile: join(folder, 'logs', `operator-${starts}.log`),
        stopManner: { signal: 'SIGTERM', graceMs: 10_000 },
        ledger,
      });
    },
    isUp: async () => (await waitUntil(isAnswering, { limitMs: UP_LIMIT_MS, everyMs: 50 })) === true,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    metric: async (name, labels = '') => {
      const answer = await fetch(metricsUrl);
      const lines = (await answer.text()).split('\n').filter((line) => line.startsWith(name) && line.includes(labels));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    },
    memory: () => {
      const status = readFileSync(`/proc/${running?.pid ?? 'self'}/status`, 'utf8');
      const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024;
      return { total: Math.round(read('VmRSS')), anonymous: Math.round(read('RssAnon')) };
    },
  };
};
