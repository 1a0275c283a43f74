import { type FoundListening, ListeningServiceService } from '@weft/proto/listening';
import type { WebhookAddress } from '@weft/proto/workflows';
import { createBatcher } from '@weft/service-kit/batching';
import { type Calls, createCaller } from '@weft/service-kit/grpc';
import type { Peer } from './callers';

/** Client of ListeningService of the workflows service: test calls of webhooks. */
export interface ListeningClient {
  readonly calls: Calls<typeof ListeningServiceService>;
  /** Finds the draft that waits at an address; lookups of one tick of the event loop are batched. Nothing is reused. */
  readonly findListening: (address: WebhookAddress) => Promise<FoundListening>;
  readonly close: () => void;
}

/** Connects to ListeningService of the workflows service. */
export const createListeningClient = (peer: Peer): ListeningClient => {
  const { calls, close } = createCaller(ListeningServiceService, {
    service: 'workflows',
    ...peer,
    retried: ['startListening', 'getListening', 'stopListening', 'findListening', 'takeListening'],
  });
  const findListening = createBatcher<WebhookAddress, FoundListening>({
    maxBatch: 200,
    concurrency: 2,
    maxQueued: 10_000,
    flush: async (addresses) => (await calls.findListening({ addresses: [...addresses] })).found,
  });
  return { calls, findListening, close };
};
