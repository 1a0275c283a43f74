import type { Fault } from '../plan/fault';

/** A fault that was carried out. Times by the harness's clock. */
export interface AppliedFault {
  readonly category: string;
  readonly fault: Fault | 'poison';
  readonly startedAt: number;
  /** Absent while the fault lasts. */
  endedAt?: number;
  /** Of the runner that it hit, and of the processes in which that executes isolated runs. */
  readonly runnerIds: readonly string[];
  /** Executions on this runner. */
  readonly affected: readonly string[];
}

/** Everything that was done to the stack. */
export interface FaultLog {
  readonly applied: readonly AppliedFault[];
  readonly begin: (fault: Omit<AppliedFault, 'endedAt'>) => AppliedFault;
}

/** An empty log. */
export const createFaultLog = (): FaultLog => {
  const applied: AppliedFault[] = [];
  return {
    applied,
    begin: (fault) => {
      const entry: AppliedFault = { ...fault };
      applied.push(entry);
      return entry;
    },
  };
};
