import { AppServiceService, type App } from '@weft/proto/apps';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { createFake } from './fake';

const read = { users: 'workflows:read' as const };
const manage = { users: 'apps:manage' as const };
const access = {
  listApps: read,
  getApp: read,
  putApp: manage,
  deleteApp: manage,
  findAppOfKind: { services: ['runner'] },
};

/** The apps of the workflows service, in memory. */
export const fakeApps = () => {
  const fake = createFake();
  const stored = new Map<string, { readonly app: App; readonly document: Buffer }>();
  const find = (name: string) => {
    const found = stored.get(name);
    if (found === undefined)
      throw new ServiceError({
        reason: 'APP_NOT_FOUND',
        kind: 'not-found',
        message: `No app is called ${name}.`,
        details: { app: name },
      });
    return found;
  };
  const handlers: Handlers<typeof AppServiceService> = {
    listApps: (request, context) =>
      fake.act('listApps', request, context, () => ({ apps: [...stored.values()].map(({ app }) => app) })),
    getApp: (request, context) => fake.act('getApp', request, context, () => find(request.name)),
    putApp: (request, context) =>
      fake.act('putApp', request, context, () => {
        const at = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
        const { name, document } = request;
        const created = !stored.has(name);
        const digest = `sha256:${stored.size}`;
        const updatedBy = context.principal?.userId ?? '';
        const app = { name, label: 'ERP', digest, kinds: ['erp'], createdAt: at, updatedAt: at, updatedBy };
        stored.set(name, { app, document });
        return { app, created };
      }),
    deleteApp: (request, context) =>
      fake.act('deleteApp', request, context, () => {
        stored.delete(find(request.name).app.name);
        return {};
      }),
    findAppOfKind: (request, context) =>
      fake.act('findAppOfKind', request, context, () => ({ document: find(request.kind).document })),
  };
  return { ...fake, stored, bound: bindService(AppServiceService, handlers, access) };
};
