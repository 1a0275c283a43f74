import type { StartNode, StartPurpose } from '@weft/nodes/descriptors';
import type { FieldError } from '@weft/service-kit/errors';
import type { VersionFacts } from './version-facts';

/** Why a run cannot begin at a node. */
export const startError = (start: Exclude<StartNode, { kind: 'found' }>): FieldError => {
  switch (start.kind) {
    case 'unknown-node':
      return { field: 'startNode', message: `The workflow has no node called "${start.name.slice(0, 100)}".` };
    case 'disabled-node':
      return { field: 'startNode', message: `The node "${start.name}" is disabled.` };
    case 'no-start-node':
      return {
        field: 'nodes',
        message:
          'The workflow has no node to start at. Add a trigger, for example a manual trigger, or name a start node.',
      };
  }
};

/** The node where a start begins, or the errors that prevent it. */
export type PlannedStart = { readonly startNode: string } | { readonly errors: readonly FieldError[] };

/** The part of a start that decides where it begins. */
export interface StartOptions {
  /** Empty: the version's own start node. */
  readonly startNode: string;
  readonly purpose?: StartPurpose;
  readonly usePinData?: boolean;
}

/** Plans a start of a version. */
export const planStart = (facts: VersionFacts, { startNode, purpose, usePinData }: StartOptions): PlannedStart => {
  const start = facts.startNode(startNode === '' ? undefined : startNode, purpose);
  // An unknown trigger kind explains why there is no start node, so it is reported first.
  if (start.kind !== 'found')
    return { errors: [...(start.kind === 'no-start-node' ? facts.unknownKinds() : []), startError(start)] };
  const errors = facts.errorsFrom(start.node.name, usePinData === true);
  return errors.length > 0 ? { errors } : { startNode: start.node.name };
};
