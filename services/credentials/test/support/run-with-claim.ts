import { uuidv7 } from '@weft/service-kit/ids';
import type { TestService } from './service-under-test';

/** A runner's claim. */
export interface Run {
  readonly executionId: string;
  readonly fence: number;
  readonly node: string;
  readonly credentialId: string;
}

/** A run with a valid claim whose node uses the credential. */
export const grantRun = (service: TestService, credentialId: string, ownerId = service.owner.userId): Run => {
  const run = { executionId: uuidv7(), fence: 3, node: 'HTTP Request', credentialId };
  service.executions.grant(run, ownerId);
  return run;
};

/** The data of a credential as returned to a run of its owner. */
export const readData = async (service: TestService, credentialId: string, type: string): Promise<unknown> => {
  const { credential } = await service
    .as('gateway')
    .credentials.getCredential({ credentialId }, { principal: service.owner });
  const { dataJson } = await service
    .as('runner')
    .credentials.useCredential({ ...grantRun(service, credentialId, credential?.ownerId), type });
  const data: unknown = JSON.parse(dataJson);
  return data;
};
