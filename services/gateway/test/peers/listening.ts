import { type FoundListening, type Listening, ListeningServiceService } from '@weft/proto/listening';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { ServiceError } from '@weft/service-kit/errors';
import { createFake } from './fake';
import { NOWHERE } from './workflows';

const access = {
  startListening: { users: 'executions:write' as const },
  getListening: { users: 'workflows:read' as const },
  stopListening: { users: 'executions:write' as const },
  findListening: { services: ['gateway'] },
  takeListening: { services: ['gateway'] },
};

/** @throws ServiceError for the id that no workflow has */
const checkWorkflow = (workflowId: string): void => {
  if (workflowId !== 'no-such-id') return;
  throw new ServiceError({
    reason: 'WORKFLOW_NOT_FOUND',
    kind: 'not-found',
    message: `No workflow has the id ${workflowId}.`,
    details: { workflowId },
  });
};

/** Listening of the workflows service, in memory. */
export const fakeListening = () => {
  const fake = createFake();
  /** By `METHOD path`. */
  const waiting = new Map<string, FoundListening>();
  /** The listening of every workflow; undefined: none. */
  const told: { listening: Listening | undefined } = { listening: undefined };
  const handlers: Handlers<typeof ListeningServiceService> = {
    startListening: (request, context) =>
      fake.act('startListening', request, context, () => {
        checkWorkflow(request.workflowId);
        const { node, seconds } = request;
        const until = new Date(Date.now() + seconds * 1_000);
        told.listening = { id: 'l1', node, methods: ['POST'], path: 'a b/:id', until };
        return { listening: told.listening };
      }),
    getListening: (request, context) =>
      fake.act('getListening', request, context, () => {
        checkWorkflow(request.workflowId);
        return { listening: told.listening };
      }),
    stopListening: (request, context) =>
      fake.act('stopListening', request, context, () => {
        checkWorkflow(request.workflowId);
        return {};
      }),
    findListening: (request, context) =>
      fake.act('findListening', request, context, () => ({
        found: request.addresses.map(
          ({ method, path }) => waiting.get(`${method} ${path}`) ?? { webhook: NOWHERE, listeningId: '' },
        ),
      })),
    takeListening: (request, context) =>
      fake.act('takeListening', request, context, () => {
        const at = [...waiting].find(([, { listeningId }]) => listeningId === request.listeningId);
        return { taken: at !== undefined && waiting.delete(at[0]) };
      }),
  };
  return { ...fake, waiting, told, bound: bindService(ListeningServiceService, handlers, access) };
};
