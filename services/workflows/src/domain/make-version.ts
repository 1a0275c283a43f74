import { uuidv7 } from '@weft/service-kit/ids';
import type { ParsedDefinition } from './parse-definition';
import { resolveTypeVersions } from './type-version-defaults';
import type { Version } from './workflow';

/** A new version with a definition. */
export const makeVersion = (
  { value, text }: ParsedDefinition,
  owner: Pick<Version, 'workflowId' | 'ownerId'>,
  now: Date,
): Version => ({
  ...owner,
  id: uuidv7(),
  definition: text,
  typeVersions: resolveTypeVersions(value),
  createdAt: now,
});
