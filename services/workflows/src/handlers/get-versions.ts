import type { GetVersions } from '../domain/get-versions';
import type { Methods } from './methods';

/** GetVersions over gRPC. */
export const handleGetVersions =
  (get: GetVersions): Methods['getVersions'] =>
  async ({ versionIds }) => ({ versions: await get(versionIds) });
