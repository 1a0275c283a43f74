import type { WorkflowVersion } from '@weft/proto/workflows';
import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { PayloadTooLarge } from './errors';
import type { VersionStore } from './ports';
import { completeText } from './type-version-defaults';
import { fromNow, NEEDED_REVIEW_MS } from './version-retention';

/**
 * Immutable versions by id, in no order; ids that do not exist are left out.
 * @throws InvalidRequest for more than 100 ids; PayloadTooLarge if they do not fit into one message: ask for fewer
 * then.
 */
export type GetVersions = (ids: readonly string[]) => Promise<WorkflowVersion[]>;

const MAX_VERSIONS = 100;
/** Below the largest message, with room for what goes with the texts. */
const MAX_BYTES = 15_000_000;

/** Reads versions past every cache: callers keep their own. */
export const createGetVersions =
  (store: VersionStore): GetVersions =>
  async (ids) => {
    if (ids.length > MAX_VERSIONS)
      throw new InvalidRequest('Too many versions.', [
        { field: 'version_ids', message: `Ask for ${MAX_VERSIONS} at most.` },
      ]);
    const known = [...new Set(ids)].filter(isUuid);
    if (known.length > 1) {
      const bytes = [...(await store.sizes(known)).values()].reduce((sum, size) => sum + size, 0);
      if (bytes > MAX_BYTES)
        throw new PayloadTooLarge('These versions do not fit into one message. Ask for fewer at once.');
    }
    const versions = await store.findForRuns(known, fromNow(NEEDED_REVIEW_MS));
    return versions.map((version) => ({
      versionId: version.id,
      workflowId: version.workflowId,
      ownerId: version.ownerId,
      definition: Buffer.from(completeText(version)),
    }));
  };
