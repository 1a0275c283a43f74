import { setTimeout as sleep } from 'node:timers/promises';
import { describeFault } from '../plan/fault';
import type { Plan } from '../plan/make-plan';
import { applyFault, type FaultTools } from './apply-fault';
import type { AppliedFault } from './fault-log';

/** Observer of the execution of a plan. */
export interface PlanObserver {
  readonly onBegun: (applied: AppliedFault) => void;
  readonly report: (line: string) => void;
}

/**
 * Carries out the faults of a plan in order, each when the one before is over; a runner that is frozen for long thaws
 * meanwhile. A fault is delayed rather than overlapped with another, so that errors can be attributed.
 */
export const carryOutPlan = async (
  { faults }: Plan,
  tools: FaultTools,
  { onBegun, report }: PlanObserver,
): Promise<void> => {
  const began = Date.now();
  const long: Promise<void>[] = [];
  const frozen = new Map<string, Promise<void>>();
  for (const { atMs, fault } of faults) {
    const wait = began + atMs - Date.now();
    if (wait > 0) await sleep(wait);
    const target = 'target' in fault ? `${fault.target.service}-${fault.target.index}` : '';
    await frozen.get(target);
    report(`${((Date.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${describeFault(fault)}`);
    const work = applyFault(fault, tools, onBegun);
    if (fault.kind !== 'outlast') {
      await work;
      continue;
    }
    long.push(work);
    frozen.set(target, work);
  }
  await Promise.all(long);
};
