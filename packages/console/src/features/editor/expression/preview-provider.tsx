import type { PreviewPlace } from '@weft/engine/preview/session';
import { type ReactNode, useMemo } from 'react';
import { totalOf, useRunData } from '../data/use-run-data';
import { useEditor } from '../editor-context';
import { PreviewContext } from './preview-context';
import { usePreviewExecution, usePreviewOf } from './use-preview-of';

/** Gives the fields of a node their previews. */
export const PreviewProvider = ({ name, children }: { name: string; children: ReactNode }) => {
  const { workflowId, document, kinds } = useEditor();
  const { pinData } = document.definition;
  const { executionId = '', execution, runs, sources, run, selected, isLoading } = useRunData(name);
  const { mode = 'manual', customData } = execution ?? {};
  const shown = usePreviewExecution({ workflowId, executionId, mode, customData, runs });
  const { item } = selected;
  const hasItem = sources.some(
    (source) => totalOf(source, runs) > 0 || (source !== null && pinData?.[source.previousNode] !== undefined),
  );
  const place = useMemo(
    (): PreviewPlace | undefined => (isLoading ? undefined : { node: name, sources, run, item }),
    [isLoading, name, sources, run, item],
  );
  return (
    <PreviewContext value={usePreviewOf({ text: document.text, kinds, execution: shown, place, hasItem })}>
      {children}
    </PreviewContext>
  );
};
