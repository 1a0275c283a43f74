import type { KindDescriptor, NodeDefinition } from '@weft/node-catalogue/definitions';
import type { FormField } from '@weft/workflow-edit/form';
import { createContext, use, useMemo } from 'react';
import { sourceOf, type SourceState } from './options/options-source';

/** The node whose form is shown, with its kind. */
export interface FormNode {
  readonly node: NodeDefinition;
  readonly kind: KindDescriptor;
}

/** Undefined around a node of an unknown kind. */
export const FormNodeContext = createContext<FormNode | undefined>(undefined);

/** The list of a service for a field. @param list its name; undefined: the field has none */
export const useOptionsSource = ({ path }: Pick<FormField, 'path'>, list: string | undefined): SourceState => {
  const around = use(FormNodeContext);
  return useMemo(
    () =>
      around === undefined || list === undefined ? { kind: 'noList' } : sourceOf(around.node, around.kind, list, path),
    [around, list, path],
  );
};
