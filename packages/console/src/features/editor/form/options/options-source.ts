import { type KindDescriptor, type NodeDefinition, versionOf } from '@weft/node-catalogue/definitions';
import type { Path } from '@weft/workflow-edit';
import { type FormField, parametersForList } from '@weft/workflow-edit/form';
import { createContext, use, useMemo } from 'react';
import type { OptionsSource } from '../../../../api/node-options';
import { linkedCredential, typesOf } from '../credential-types';

/** A list that can be requested, or why it cannot be: the node has no credential yet, or the field has no list. */
export type SourceState =
  | { readonly kind: 'source'; readonly source: OptionsSource }
  | { readonly kind: 'noCredential' }
  | { readonly kind: 'noList' };

/** The node whose form is shown, with its kind; undefined around a node of an unknown kind. */
export const FormNodeContext = createContext<
  { readonly node: NodeDefinition; readonly kind: KindDescriptor } | undefined
>(undefined);

/** The list for a parameter of a node. @param path of the parameter */
const sourceOf = (node: NodeDefinition, kind: KindDescriptor, list: string, path: Path): SourceState => {
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

/** The list of a service for a field. @param list its name; undefined: the field has none */
export const useOptionsSource = ({ path }: Pick<FormField, 'path'>, list: string | undefined): SourceState => {
  const around = use(FormNodeContext);
  return useMemo(
    () =>
      around === undefined || list === undefined ? { kind: 'noList' } : sourceOf(around.node, around.kind, list, path),
    [around, list, path],
  );
};
