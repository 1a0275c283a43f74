import { CredentialServiceService } from '@weft/proto/credentials';
import type { Calls } from '@weft/service-kit/grpc';
import type { Json, JsonObject } from '@weft/node-catalogue';
import type { ClaimedExecution } from '../domain/claims/claimed-execution';
import { type Act, DEADLINE_MS, deleted } from './instance-call';
import { credentialJson, present } from './instance-json';

/** Calls about credentials. */
export const credentialCalls = (
  calls: Calls<typeof CredentialServiceService>,
  act: Act,
  { ownerId }: ClaimedExecution,
) => ({
  create: async (name: string, type: string, data: Json): Promise<JsonObject> => {
    const since = Date.now() - DEADLINE_MS;
    const credential = await act(CredentialServiceService.createCredential, async (options, triesBefore) => {
      const known =
        triesBefore === 0
          ? []
          : (
              await act(CredentialServiceService.listCredentials, (listing) =>
                calls.listCredentials({ limit: 20, cursor: '' }, listing),
              )
            ).credentials;
      const made = known.find(
        (one) =>
          one.ownerId === ownerId && one.name === name && one.type === type && (one.createdAt?.getTime() ?? 0) >= since,
      );
      return made ?? (await calls.createCredential({ name, type, dataJson: JSON.stringify(data) }, options)).credential;
    });
    return credentialJson(present(credential));
  },
  remove: async (credentialId: string): Promise<JsonObject> => {
    const { credential } = await act(CredentialServiceService.getCredential, (options) =>
      calls.getCredential({ credentialId }, options),
    );
    await act(CredentialServiceService.deleteCredential, (options, triesBefore) =>
      deleted(() => calls.deleteCredential({ credentialId }, options), triesBefore, 'CREDENTIAL_NOT_FOUND'),
    );
    return credentialJson(present(credential));
  },
});
