import { useQuery } from '@tanstack/react-query';
import type { PreviewExecution, PreviewPlace } from '@weft/engine/preview/session';
import type { Json } from '@weft/node-catalogue/definitions';
import { type ReactNode, useMemo } from 'react';
import { variablesQuery } from '../../../api/editor-queries';
import { useRunData } from '../data/use-run-data';
import { useEditor } from '../editor-context';
import { PreviewContext } from './preview-context';
import { textsOf, usePreviewOf } from './use-preview-of';

const NO_VARIABLES: Readonly<Record<string, Json>> = {};

/** Zone of previews of workflows that set none: the one of the person who looks at them. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Gives the fields of a node their previews. */
export const PreviewProvider = ({ name, children }: { name: string; children: ReactNode }) => {
  const { workflowId, document, kinds } = useEditor();
  const { executionId = '', execution, runs, sources, run, selected, isLoading } = useRunData(name);
  const vars = useQuery({ ...variablesQuery, retry: false }).data ?? NO_VARIABLES;
  const { mode = 'manual', customData } = execution ?? {};
  const shown = useMemo(
    (): PreviewExecution => ({
      workflowId,
      workflowActive: false,
      executionId,
      mode,
      runs,
      vars,
      defaultTimezone: OWN_ZONE,
      customData: textsOf(customData),
    }),
    [workflowId, executionId, mode, customData, runs, vars],
  );
  const { item } = selected;
  const place = useMemo(
    (): PreviewPlace | undefined => (isLoading ? undefined : { node: name, sources, run, item }),
    [isLoading, name, sources, run, item],
  );
  return (
    <PreviewContext value={usePreviewOf({ text: document.text, kinds, execution: shown, place })}>
      {children}
    </PreviewContext>
  );
};
