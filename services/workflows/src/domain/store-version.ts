import { ServiceError } from '@weft/service-kit/errors';
import type { VersionStore } from './ports';
import { fromNow, RETIRED_KEPT_MS } from './version-retention';
import type { Version } from './workflow';

const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.kind !== 'unavailable' &&
  error.kind !== 'timeout' &&
  error.kind !== 'internal';

/**
 * Stores a version and then what points at it, so that no workflow is ever seen without its definition. If the second
 * write is refused the version is taken back. After any other fault it stays until its
 * review: the write may have come through.
 */
export const storeVersion = async <Result>(
  versions: VersionStore,
  version: Version,
  write: () => Promise<Result>,
): Promise<Result> => {
  await versions.insert(version, fromNow(RETIRED_KEPT_MS));
  try {
    return await write();
  } catch (error) {
    if (isRefusal(error)) await versions.discard(version.id);
    throw error;
  }
};
