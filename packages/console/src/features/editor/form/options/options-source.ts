import { type KindDescriptor, type NodeDefinition, versionOf } from '@weft/node-catalogue/definitions';
import type { Path } from '@weft/workflow-edit';
import { parametersForList } from '@weft/workflow-edit/form';
import type { OptionsSource } from '../../../../api/node-options';
import { linkedCredential, typesOf } from '../credential-types';

/** A list that can be requested, or why it cannot be: the node has no credential yet, or the field has no list. */
export type SourceState =
  | { readonly kind: 'source'; readonly source: OptionsSource }
  | { readonly kind: 'noCredential' }
  | { readonly kind: 'noList' };

/** The list for a parameter of a node. @param path of the parameter */
export const sourceOf = (node: NodeDefinition, kind: KindDescriptor, list: string, path: Path): SourceState => {
  const types = typesOf(node, kind);
  const ids = types.map((type) => linkedCredential(node, type).id).filter((id) => id !== '');
  if (types.length > 0 && ids.length === 0) return { kind: 'noCredential' };
  return {
    kind: 'source',
    source: {
      kind: kind.kind,
      version: versionOf(node, kind),
      list,
      parameters: parametersForList(node.parameters, path),
      credentialId: ids[0],
    },
  };
};
