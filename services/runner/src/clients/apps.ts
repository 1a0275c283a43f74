import { AppServiceService } from '@weft/proto/apps';
import type { FindApp } from '@weft/nodes/options';
import type { TokenSigner } from '@weft/service-kit/auth';
import { ServiceError } from '@weft/service-kit/errors';
import { createCaller, isUnimplemented } from '@weft/service-kit/grpc';

/** Client of AppService of the workflows service. */
export interface AppsClient {
  readonly findApp: FindApp;
  readonly close: () => void;
}

/** Connects to the workflows service. */
export const createAppsClient = (target: string, sign: TokenSigner): AppsClient => {
  const { calls, close } = createCaller(AppServiceService, {
    service: 'workflows',
    target,
    sign,
    retried: ['findAppOfKind'],
  });
  return {
    findApp: async (kind) => {
      try {
        return (await calls.findAppOfKind({ kind })).document.toString();
      } catch (error) {
        // A service of an earlier release has no apps.
        if (isUnimplemented(error)) return undefined;
        if (error instanceof ServiceError && error.kind === 'not-found') return undefined;
        throw error;
      }
    },
    close,
  };
};
