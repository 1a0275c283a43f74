import { candidateKeys, pathParams } from '@weft/node-catalogue';
import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import type { WorkflowStore } from '../ports';
import type { ResolvedWebhook, WebhookAddress } from '../routes/resolve-webhooks';
import type { DerivedVersions } from '../versions/derived-versions';
import type { VersionFacts } from '../versions/version-facts';
import type { Listening, ListeningStore } from './listening';
import { keysOf } from './listening-route';

/** The draft that waits at an address, with the id of its listening. */
export interface FoundListening {
  readonly webhook: ResolvedWebhook;
  /** Empty: none waits there. */
  readonly listeningId: string;
}

/** Use cases of the gateway, which receives the calls. */
export interface TestCalls {
  /** One entry for each address, in order. */
  readonly findListening: (addresses: readonly WebhookAddress[]) => Promise<readonly FoundListening[]>;
  /**
   * Takes the one call of a listening, which ends it. False if another call came first.
   * @throws InvalidRequest
   */
  readonly takeListening: (workflowId: string, id: string, executionId: string) => Promise<boolean>;
}

interface TestCallDeps {
  readonly listenings: Pick<ListeningStore, 'findWaiting' | 'take'>;
  readonly workflows: Pick<WorkflowStore, 'findHeads'>;
  readonly facts: DerivedVersions<VersionFacts>;
  /** Unix milliseconds by the clock of the store. */
  readonly clock: () => number;
}

const NOWHERE: FoundListening = { webhook: { found: false, otherMethods: [] }, listeningId: '' };

/** Longer paths belong to no webhook. */
const MAX_PATH_LENGTH = 2_000;
const MAX_METHOD_LENGTH = 20;

const candidatesOf = ({ method, path }: WebhookAddress): string[] =>
  path.length > MAX_PATH_LENGTH || method.length > MAX_METHOD_LENGTH ? [] : candidateKeys(method, path);

const toFound = (
  { workflowId, versionId, ownerId, node, path: pattern, id }: Listening,
  path: string,
  facts: ReadonlyMap<string, VersionFacts>,
): FoundListening => {
  const settings = facts.get(versionId)?.ingressSettings.get(node);
  const webhook = {
    found: true as const,
    workflowId,
    versionId,
    ownerId,
    node,
    pathParams: pathParams(pattern, path),
    leaseMs: 0,
    release: '',
    ...(settings === undefined ? {} : { settings }),
  };
  return { webhook, listeningId: id };
};

/** Finds any number of listenings with one query each for listenings and workflows; facts of versions are cached. */
export const testCalls = ({ listenings, workflows, facts, clock }: TestCallDeps): TestCalls => ({
  findListening: async (addresses) => {
    const candidates = addresses.map(candidatesOf);
    const waiting = await listenings.findWaiting([...new Set(candidates.flat())], new Date(clock()));
    if (waiting.length === 0) return addresses.map(() => NOWHERE);
    const heads = await workflows.findHeads([...new Set(waiting.map(({ workflowId }) => workflowId))]);
    const owners = new Map(heads.map(({ id, ownerId }) => [id, ownerId]));
    // A transferred workflow has the rights of its new owner, who has not asked for this.
    const current = waiting.filter(({ workflowId, ownerId }) => owners.get(workflowId) === ownerId);
    const known = await facts([...new Set(current.map(({ versionId }) => versionId))]);
    const byKey = new Map(current.flatMap((one) => keysOf(one).map((key): [string, Listening] => [key, one])));
    return addresses.map(({ path }, index) => {
      const key = candidates[index]?.find((candidate) => byKey.has(candidate));
      const listening = key === undefined ? undefined : byKey.get(key);
      return listening === undefined ? NOWHERE : toFound(listening, path, known);
    });
  },
  takeListening: async (workflowId, id, executionId) => {
    if (!isUuid(executionId))
      throw new InvalidRequest('The call cannot be taken.', [{ field: 'executionId', message: 'must be a UUID' }]);
    return listenings.take(workflowId, id, executionId, new Date(clock()));
  },
});
