import { RpcError, type Tool } from '@weft/mcp';
import { createBoundedCache } from '@weft/service-kit/caching';
import type { ResolvedWebhook } from '@weft/proto/workflows';

/** The tools of a server, and their size. */
export interface ListedTools {
  readonly tools: readonly Tool[];
  readonly bytes: number;
}

/** Milliseconds for which a list is used again: tools of other servers and of called workflows may change meanwhile. */
const LIST_MS = 10_000;
const MAX_LISTS = 1_000;
const MAX_BYTES = 32_000_000;
/** Approximate bytes of a list without its tools, or of a failure. */
const BASE_BYTES = 500;

interface Listed {
  readonly outcome: ListedTools | RpcError;
  readonly until: number;
}

type Server = Pick<ResolvedWebhook, 'workflowId' | 'versionId' | 'ownerId' | 'node'>;

/** Tools by version and node. Requests for the same list share one run, and a failed run counts as well. */
export interface ToolLists {
  /** @throws RpcError if the run has failed; what `list` throws */
  readonly toolsOf: (server: Server, list: () => Promise<ListedTools>) => Promise<readonly Tool[]>;
}

/** Creates empty lists. @param now monotonic milliseconds */
export const createToolLists = (now: () => number = () => performance.now()): ToolLists => {
  const known = createBoundedCache<string, Listed>({ maxEntries: MAX_LISTS, maxWeight: MAX_BYTES });
  const underWay = new Map<string, Promise<ListedTools | RpcError>>();
  const fetch = async (key: string, list: () => Promise<ListedTools>): Promise<ListedTools | RpcError> => {
    try {
      const outcome = await list().catch((error: unknown) => {
        if (error instanceof RpcError) return error;
        throw error;
      });
      known.set(key, { outcome, until: now() + LIST_MS }, BASE_BYTES + ('bytes' in outcome ? outcome.bytes : 0));
      return outcome;
    } finally {
      underWay.delete(key);
    }
  };
  return {
    toolsOf: async ({ workflowId, versionId, ownerId, node }, list) => {
      const key = JSON.stringify([workflowId, versionId, ownerId, node]);
      const found = known.get(key);
      let outcome: ListedTools | RpcError;
      if (found !== undefined && now() < found.until) ({ outcome } = found);
      else {
        const fetched = underWay.get(key) ?? fetch(key, list);
        underWay.set(key, fetched);
        outcome = await fetched;
      }
      if (outcome instanceof RpcError) throw outcome;
      return outcome.tools;
    },
  };
};
