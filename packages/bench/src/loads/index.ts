import { CODE_LOADS } from './code-loads';
import type { Load } from './load';
import { RATE_LOADS } from './rate-loads';
import { REST_LOADS } from './rest-loads';
import { WEBHOOK_LOADS } from './webhook-loads';

/** All loads, in the order in which they are measured. */
export const LOADS: readonly Load[] = [...WEBHOOK_LOADS, ...RATE_LOADS, ...CODE_LOADS, ...REST_LOADS];

/** The loads that show whether a run costs the same with more replicas. */
export const SCALE_LOADS: readonly string[] = ['burst', 'last-node-50', 'steady', 'growing'];
