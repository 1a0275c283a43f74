import { type ItemPage, type OutputPlace, PreviewSession } from '@weft/engine/preview/session';
import { weft } from '../../../api/client';
import { startWorker } from '../../../preview/worker-thread';

/** An item longer than this is not sent, and its previews are shown after a run. */
const MAX_ITEM_BYTES = 262_144;

const loadItems = async (
  executionId: string,
  { executionIndex, output }: OutputPlace,
  offset: number,
  limit: number,
): Promise<ItemPage> => {
  const { data } = await weft.call('listItems', {
    path: { id: executionId, executionIndex: String(executionIndex) },
    query: { output, offset, limit, maxItemBytes: MAX_ITEM_BYTES },
  });
  const items = data.map((item) => (item['truncated'] === true ? undefined : item));
  return { items, bytes: JSON.stringify(data).length };
};

/** Starts previews. One session per open form. */
export const openPreviewSession = (): PreviewSession => new PreviewSession({ startWorker, loadItems });
