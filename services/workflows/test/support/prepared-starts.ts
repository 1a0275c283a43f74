import type { PreparedStart, PrepareStartResult } from '@weft/proto/workflows';
import type { ServiceError } from '@weft/service-kit/errors';
import { fromRpcStatus } from '@weft/service-kit/grpc';

/** Result of a prepared start, or its error. */
export const preparedOrError = ({ result }: PrepareStartResult): PreparedStart | ServiceError => {
  if (result === undefined) throw new Error('The result is empty.');
  return result.$case === 'prepared' ? result.value : fromRpcStatus(result.value);
};
