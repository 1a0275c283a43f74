import { INDEXES } from './index-probes';
import type { Probe } from './probe';
import { READS } from './read-probes';
import { WRITES } from './write-probes';

/** All probes, in the order of the table. */
export const PROBES: readonly Probe[] = [...WRITES, ...READS, ...INDEXES];
