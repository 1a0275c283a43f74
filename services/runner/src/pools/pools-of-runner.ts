import { Socket } from 'node:net';
import type { RunnerPools } from './open-pools';
import { POOLS_DESCRIPTOR } from './pool-messages';
import { createRemotePools } from './remote-pools';

/** The pools of the runner that has forked this process. @throws Error if it was started in another way */
export const poolsOfRunner = (): RunnerPools =>
  createRemotePools(new Socket({ fd: POOLS_DESCRIPTOR, readable: true, writable: true }));
