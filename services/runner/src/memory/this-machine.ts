import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { pickVariables } from '@weft/service-kit/config';
import type { Logger } from '@weft/service-kit/logging';
import { explainMemory, fits, planMemory, type Machine, type MemoryPlan, type MemorySettings } from './plan-memory';

const MIB = 1024 * 1024;

/** What this process has: its heap limit, and the memory limit of its container if there is one. */
const thisMachine = (): Machine => {
  // Where nothing limits it, it is 0 or more than there is.
  const constrained = process.constrainedMemory();
  return {
    heapMb: Math.floor(getHeapStatistics().heap_size_limit / MIB),
    limitMb: constrained > 0 && constrained < totalmem() ? constrained / MIB : undefined,
  };
};

const HEAP_OPTION = '--max-old-space-size';
/** True if somebody has decided how much heap this process gets. */
const isHeapStated = (): boolean =>
  [...Object.values(pickVariables(['NODE_OPTIONS'])), ...process.execArgv].some((option) =>
    option.includes(HEAP_OPTION),
  );

/**
 * Plans the memory of this runner.
 * @throws Error if it cannot fit into the limit of its container. If nobody has stated a heap limit, that is logged
 * instead: Node takes one that is meant for a process alone, and seldom needs it
 */
export const planThisRunner = (settings: MemorySettings, logger: Logger): MemoryPlan => {
  const machine = thisMachine();
  const plan = planMemory(settings, machine);
  const { limitMb } = machine;
  if (limitMb !== undefined && !fits(plan, machine)) {
    const message = explainMemory(plan, limitMb);
    if (isHeapStated()) throw new Error(message);
    logger.warn(message);
  }
  const { heavyMb, isolated, isolatedMb, formatsMb, totalMb } = plan;
  logger.info({ limitMb, totalMb, heavyMb, isolated, isolatedMb, formatsMb }, 'the memory of this runner');
  return plan;
};
