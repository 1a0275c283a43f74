import type { ExecutionEvent, Weft } from '@weft/client';

const PAGE = 200;

/**
 * The events of an execution in their order: those that are there, and, if followed, those to come until its end. The
 * only place that knows how events arrive.
 */
export const followEvents = async function* (
  weft: Weft,
  id: string,
  { follow, signal }: { readonly follow: boolean; readonly signal: AbortSignal },
): AsyncGenerator<ExecutionEvent, void> {
  for (let after = 0; ;) {
    const page = await weft.call('listExecutionEvents', {
      path: { id },
      query: { after, limit: PAGE, wait: follow },
      signal,
    });
    // 204 is for streams.
    if (page === undefined || typeof page === 'string') return;
    for (const event of page.data) {
      yield event;
      after = event.sequence;
    }
    if (page.complete || (!follow && page.data.length < PAGE)) return;
  }
};
