import type { App as AppMessage, AppServiceService } from '@weft/proto/apps';
import type { Handlers } from '@weft/service-kit/grpc';
import type { AppSummary } from '../domain/apps/app';
import type { AppUseCases } from '../domain/apps/apps';
import type { NodeTypes } from '../domain/definitions/node-types';
import { userOf } from './access';

const toAppMessage = ({ name, label, digest, kinds, createdAt, updatedAt, updatedBy }: AppSummary): AppMessage => ({
  name,
  label,
  digest,
  kinds: [...kinds],
  createdAt,
  updatedAt,
  updatedBy,
});

/** AppService over gRPC. */
export const appHandlers = (
  { listApps, getApp, putApp, deleteApp }: AppUseCases,
  { appOf }: Pick<NodeTypes, 'appOf'>,
): Handlers<typeof AppServiceService> => ({
  listApps: async () => ({ apps: (await listApps()).map(toAppMessage) }),
  getApp: async ({ name }) => {
    const app = await getApp(name);
    return { app: toAppMessage(app), document: Buffer.from(app.json) };
  },
  putApp: async ({ name, document, condition }, context) => {
    const { app, created } = await putApp(name, document, userOf(context).userId, condition);
    return { app: toAppMessage(app), created };
  },
  deleteApp: async ({ name, force, condition }) => {
    await deleteApp(name, force, condition);
    return {};
  },
  findAppOfKind: async ({ kind }) => ({ document: Buffer.from(await appOf(kind)) }),
});
