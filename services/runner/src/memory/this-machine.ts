import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { pickVariables } from '@weft/service-kit/config';
import type { Logger } from '@weft/service-kit/logging';
import { explainMemory, fits, planMemory, type Machine, type MemoryPlan, type MemorySettings } from './plan-memory';

const MIB = 1024 * 1024;

/** Resources of this process: its heap limit, and the memory limit of its container, if any. */
const thisMachine = (): Machine => {
  // Without a limit, it is 0 or above the total memory.
  const constrained = process.constrainedMemory();
  return {
    heapMb: Math.floor(getHeapStatistics().heap_size_limit / MIB),
    limitMb: constrained > 0 && constrained < totalmem() ? constrained / MIB : undefined,
  };
};

const HEAP_OPTION = '--max-old-space-size';
/** Whether the heap limit of this process was set explicitly. */
const isHeapStated = (): boolean =>
  [...Object.values(pickVariables(['NODE_OPTIONS'])), ...process.execArgv].some((option) =>
    option.includes(HEAP_OPTION),
  );

/**
 * Plans the memory of this runner.
 * @throws Error if it cannot fit into the limit of its container. Without an explicit heap limit a warning is logged
 * instead: Node's default assumes a single process, which rarely uses it
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
  const { overShareMb, isolated, isolatedMb, formatsMb, totalMb } = plan;
  logger.info({ limitMb, totalMb, overShareMb, isolated, isolatedMb, formatsMb }, 'the memory of this runner');
  return plan;
};
