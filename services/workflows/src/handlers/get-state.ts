import type { GetState } from '../domain/state/get-state';
import type { StateMethods } from './state-methods';

/** GetState over gRPC. */
export const handleGetState =
  (get: GetState): StateMethods['getState'] =>
  async ({ executionId, fence, name }) => {
    const entry = await get({ executionId, fence }, name);
    return { entry: { version: entry?.version ?? 0, valueJson: entry?.valueJson ?? '' } };
  };
