import type { ExecutionServiceService, PutInputFileRequest } from '@weft/proto/executions';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { StoreInputFile } from '../domain/store-input-file';
import { factsOf } from './put-chunk';

async function* dataOf(first: PutInputFileRequest, rest: AsyncIterator<PutInputFileRequest>): AsyncGenerator<Buffer> {
  yield first.data;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value.data;
}

/** PutInputFile. */
export const putInputFileHandler =
  (storeFile: StoreInputFile): Handlers<typeof ExecutionServiceService>['putInputFile'] =>
  async (requests) => {
    const messages = requests[Symbol.asyncIterator]();
    const first = await messages.next();
    if (first.done === true) throw new InvalidRequest('The upload is empty.');
    const { executionId, fileKey } = first.value;
    return storeFile({ executionId, fileKey, facts: factsOf(first.value), data: dataOf(first.value, messages) });
  };
