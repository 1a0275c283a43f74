import type { JsonObject } from '@weft/service-kit/json-values';

/**
 * The key of the operation that parameters select: `message.post`, `post` for a kind without resources, or `default`
 * for a kind with one operation.
 */
export function operationKey(parameters: JsonObject): string {
  const parts = [parameters['resource'], parameters['operation']].filter((part) => typeof part === 'string');
  return parts.length === 0 ? 'default' : parts.join('.');
}
