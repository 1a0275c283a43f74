import type { GetVersions } from '../domain/get-versions';
import type { Methods } from './methods';

/** GetVersions over gRPC. */
export const handleGetVersions =
  (get: GetVersions): Methods['getVersions'] =>
  async ({ versionIds }) => {
    const versions = await get(versionIds);
    return {
      versions: versions.map(({ id, workflowId, ownerId, text }) => ({
        versionId: id,
        workflowId,
        ownerId,
        definitionJson: Buffer.from(text),
      })),
    };
  };
