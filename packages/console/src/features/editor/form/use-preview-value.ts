import type { Json } from '@weft/node-catalogue/definitions';
import type { FormField } from '@weft/workflow-edit/form';
import { use } from 'react';
import { PreviewContext } from '../expression/preview-context';

/** Gives the last previewed value of a field's expression, if it is known and was not shortened. */
export const usePreviewValue = ({ key }: FormField): (() => Json | undefined) => {
  const preview = use(PreviewContext);
  return () => preview?.valueOf(key);
};
