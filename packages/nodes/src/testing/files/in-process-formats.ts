import { bytesOf, type TaskRunner } from '@weft/sandbox';
import { doImageTask } from '../../edit-image/program/image-work';
import { doEncodedTask } from '../../shared/file-formats/work';

/** Runs format tasks in this process, for tests of how nodes use the results. */
export const inProcessFormats: TaskRunner = {
  run: async ({ kind, input, signal }) => {
    const bytes = await bytesOf(input);
    if (signal.aborted || bytes === undefined) return { kind: 'stopped', reason: 'aborted' };
    return { kind: 'result', result: await (kind.endsWith('Image') ? doImageTask : doEncodedTask)(kind, bytes) };
  },
};
