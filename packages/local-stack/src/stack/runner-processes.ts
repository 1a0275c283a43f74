import { readFileSync } from 'node:fs';
import type { StackProcess } from './stack-process';

/** A process that claims executions: a runner, or one that it has started. */
export interface RunnerProcess {
  /** The id in the leases of its claims. */
  readonly runnerId: string;
  readonly pid: number;
}

const STARTED = /"runnerId":"([^"]+)","pid":(\d+),"msg":"the runner claims/g;

/** The processes of a runner that have begun to claim, by its log: its own first, also those that have ended. */
export const runnerProcesses = ({ logFile }: Pick<StackProcess, 'logFile'>): RunnerProcess[] =>
  [...readFileSync(logFile, 'utf8').matchAll(STARTED)].map(([, runnerId = '', pid = '']) => ({
    runnerId,
    pid: Number(pid),
  }));
