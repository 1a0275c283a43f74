import { uuidv7 } from '@weft/service-kit/ids';
import { assembleDefinition } from './assemble-definition';
import { resolveTypeVersions } from './type-version-defaults';
import type { DefinitionParts, Version } from './workflow';

/** A new version out of what a caller sent. @throws as assembleDefinition. */
export const makeVersion = (
  parts: DefinitionParts,
  owner: Pick<Version, 'workflowId' | 'ownerId'>,
  now: Date,
): Version => {
  const definition = assembleDefinition(parts);
  return {
    ...owner,
    id: uuidv7(),
    text: JSON.stringify(definition),
    typeVersions: resolveTypeVersions(definition),
    createdAt: now,
  };
};
