import { InvalidRequest } from '@weft/service-kit/errors';
import { downloadHeaders } from '../../http/download-headers';
import { openFile } from '../../http/file-parts';
import type { ApiHandler } from '../api-handler';

/** A file of the largest size within the time of a request. */
const DEADLINE_MS = 30_000;

/**
 * GET /executions/:id/binary/:ref, an addition: a file that items of the execution refer to, `ref` being the `id` of
 * the reference. Always a download, with the type the file came with.
 */
export const getExecutionBinary: ApiHandler = async ({ id, ref, principal }, { executions }) => {
  if (ref.length > 200)
    throw new InvalidRequest(
      'This is no reference to a file. Use the `id` that the item in the run data holds under `binary`.',
    );
  const { head, parts } = await openFile(
    executions.calls.readBinary({ executionId: id, fileId: ref }, { principal, deadlineMs: DEADLINE_MS }),
  );
  return { status: 200, headers: downloadHeaders(head.mimeType ?? '', head.fileName ?? ''), parts };
};
