import type { Listening as ListeningMessage, ListeningServiceService } from '@weft/proto/listening';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../compose';
import type { Listening } from '../domain/listening/listening';
import type { TestCalls } from '../domain/listening/test-calls';
import { userOf } from './access';
import { toResolvedWebhookMessage } from './resolve-webhooks';

/** Maximum addresses per call and per query. */
const MAX_ADDRESSES = 500;

const toListeningMessage = ({ id, node, methods, path, until, executionId }: Listening): ListeningMessage => ({
  id,
  node,
  methods: [...methods],
  path,
  until,
  ...(executionId === undefined ? {} : { executionId }),
});

/** ListeningService over gRPC. */
export const listeningHandlers = (useCases: Within & TestCalls): Handlers<typeof ListeningServiceService> => ({
  startListening: async ({ workflowId, definition, node, seconds }, context) => {
    const { startListening } = await scopedTo(useCases, context);
    const listening = await startListening({ workflowId, definition, node, seconds }, userOf(context));
    return { listening: toListeningMessage(listening) };
  },
  getListening: async ({ workflowId }, context) => {
    const listening = await (await scopedTo(useCases, context)).getListening(workflowId);
    return { listening: listening === undefined ? undefined : toListeningMessage(listening) };
  },
  stopListening: async ({ workflowId, listeningId }, context) => {
    await (await scopedTo(useCases, context)).stopListening(workflowId, listeningId, userOf(context));
    return {};
  },
  findListening: async ({ addresses }) => {
    if (addresses.length > MAX_ADDRESSES)
      throw new InvalidRequest('Too many addresses.', [
        { field: 'addresses', message: `Use at most ${MAX_ADDRESSES} addresses.` },
      ]);
    const found = await useCases.findListening(addresses);
    return {
      found: found.map(({ webhook, listeningId }) => ({ webhook: toResolvedWebhookMessage(webhook), listeningId })),
    };
  },
  takeListening: async ({ workflowId, listeningId, executionId }) => ({
    taken: await useCases.takeListening(workflowId, listeningId, executionId),
  }),
});
