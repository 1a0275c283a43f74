import type { WorkflowVersion } from '@weft/proto/workflows';
import { InvalidRequest, isRetryable, ServiceError } from '@weft/service-kit/errors';
import { isUuid, uuidv7 } from '@weft/service-kit/ids';
import { credentialIdsOf } from '../definitions/credential-workflows';
import { definitionHash } from '../definitions/definition-hash';
import { PayloadTooLarge } from '../errors';
import { isSamePins } from '../apps/pin-apps';
import type { ExaminedDefinition } from '../definitions/examine-definition';
import type { VersionStore } from '../ports';
import { completeText, resolveTypeVersions, withPins } from '../definitions/type-version-defaults';
import { fromNow, NEEDED_REVIEW_MS, RETIRED_RETENTION_MS } from './version-retention';
import type { Version } from '../workflows/workflow';

/** A new version with a new id. */
export const makeVersion = (
  { value, text, apps }: Pick<ExaminedDefinition, 'value' | 'text' | 'apps'>,
  owner: Pick<Version, 'workflowId' | 'ownerId'>,
  now: Date,
): Version => ({
  ...owner,
  id: uuidv7(),
  definition: text,
  typeVersions: resolveTypeVersions(value, apps),
  ...withPins(apps),
  credentialIds: credentialIdsOf(value),
  hash: definitionHash(value),
  createdAt: now,
});

/**
 * A version with credentials that were linked, and revisions of apps that were added, since it was stored; the same
 * version if there are none. Its type versions do not change.
 */
export const relinkedVersion = (
  version: Version,
  { value, text, apps }: Pick<ExaminedDefinition, 'value' | 'text' | 'apps'>,
  now: Date,
): Version => {
  const { apps: pinned = [], ...unchanged } = version;
  if (text === version.definition && isSamePins(pinned, apps)) return version;
  const resolved = new Set(version.typeVersions.map(({ node }) => node));
  return {
    ...unchanged,
    id: uuidv7(),
    definition: text,
    typeVersions: [
      ...version.typeVersions,
      ...resolveTypeVersions(value, apps).filter(({ node }) => !resolved.has(node)),
    ],
    ...withPins(apps),
    credentialIds: credentialIdsOf(value),
    hash: definitionHash(value),
    createdAt: now,
  };
};

/** True if nothing was written. After an error with which a retry may succeed, that is unknown. */
const isRefusal = (error: unknown): boolean => error instanceof ServiceError && !isRetryable(error.kind);

/**
 * Stores a version, then the workflow that refers to it, so that no workflow is ever visible without its definition. If
 * the second write is refused, the version is removed. After any other error it is kept until its review, because the
 * write may have succeeded.
 */
export const storeVersion = async <Result>(
  versions: VersionStore,
  version: Version,
  write: () => Promise<Result>,
): Promise<Result> => {
  await versions.insert(version, fromNow(RETIRED_RETENTION_MS));
  try {
    return await write();
  } catch (error) {
    if (isRefusal(error)) await versions.discard(version.id);
    throw error;
  }
};

/**
 * Reads versions by id, in no particular order; unknown ids are left out.
 * @throws InvalidRequest for more than 100 ids; PayloadTooLarge if they do not fit into one message: request fewer
 */
export type GetVersions = (ids: readonly string[]) => Promise<WorkflowVersion[]>;

const MAX_VERSIONS = 100;
/** Below the maximum message size, with room for the other fields. */
const MAX_BYTES = 15_000_000;

/** Reads versions without a cache, because callers cache them. */
export const createGetVersions = (store: VersionStore): GetVersions =>
  async function getVersions(ids) {
    if (ids.length > MAX_VERSIONS)
      throw new InvalidRequest('Too many versions.', [
        { field: 'version_ids', message: `Use at most ${MAX_VERSIONS} ids.` },
      ]);
    const known = [...new Set(ids)].filter(isUuid);
    if (known.length > 1) {
      const bytes = [...(await store.sizes(known)).values()].reduce((sum, size) => sum + size, 0);
      if (bytes > MAX_BYTES)
        throw new PayloadTooLarge('The versions do not fit into one message. Request fewer at once.');
    }
    const versions = await store.findForRuns(known, fromNow(NEEDED_REVIEW_MS));
    return versions.map((version) => ({
      versionId: version.id,
      workflowId: version.workflowId,
      ownerId: version.ownerId,
      definition: Buffer.from(completeText(version)),
    }));
  };
