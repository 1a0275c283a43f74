import { describeFault, isKill } from './fault';
import type { Plan } from './make-plan';

/** A plan as lines for people. */
export const planLines = ({ seed, executions, durationMs, faults, skewMs }: Plan): string[] => [
  `seed ${seed}: ${executions} executions over ${(durationMs / 1_000).toFixed(0)} s, ${faults.length} ` +
    `faults, ${faults.filter(({ fault }) => isKill(fault)).length} of them kills`,
  `clocks of the second replicas: ${Object.entries(skewMs)
    .map(([service, ms]) => `${service} ${ms >= 0 ? '+' : ''}${(ms / 1_000).toFixed(1)} s`)
    .join(', ')}`,
  ...faults.map(({ atMs, fault }) => `${(atMs / 1_000).toFixed(1).padStart(7)} s  ${describeFault(fault)}`),
];
