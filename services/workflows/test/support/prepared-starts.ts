import type { PreparedStart, PrepareStartResult } from '@weft/proto/workflows';
import type { ServiceError } from '@weft/service-kit/errors';
import { fromRpcStatus } from '@weft/service-kit/grpc';

/** What a start was pinned to, or why it was refused. */
export const preparedOrError = ({ result }: PrepareStartResult): PreparedStart | ServiceError => {
  if (result === undefined) throw new Error('The result is empty.');
  return result.$case === 'prepared' ? result.value : fromRpcStatus(result.value);
};
