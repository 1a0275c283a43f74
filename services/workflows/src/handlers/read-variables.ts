import type { ReadVariables } from '../domain/variables/read-variables';
import type { VariableMethods } from './variable-methods';

/** ReadVariables over gRPC. */
export const handleReadVariables =
  (read: ReadVariables): VariableMethods['readVariables'] =>
  async ({ executionId, fence }) => ({ values: { ...(await read({ executionId, fence })) } });
