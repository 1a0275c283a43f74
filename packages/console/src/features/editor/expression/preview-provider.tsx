import type { PreviewExecution } from '@weft/engine/preview/session';
import type { Json } from '@weft/node-catalogue/definitions';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { variablesQuery } from '../../../api/editor-queries';
import { useRunData } from '../data/use-run-data';
import { useEditor } from '../editor-context';
import { type Preview, PreviewContext } from './preview-context';
import { openPreviewSession } from './preview-session';

/** A draft is given to the worker when no key was pressed for this time: the text that is typed is sent separately. */
const DRAFT_MS = 150;

const NO_VARIABLES: Readonly<Record<string, Json>> = {};
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Gives the fields of a node their previews. */
export const PreviewProvider = ({ name, children }: { name: string; children: ReactNode }) => {
  const { workflowId, document, kinds } = useEditor();
  const data = useRunData(name);
  const vars = useQuery({ ...variablesQuery, retry: false });
  const [session] = useState(openPreviewSession);
  const [revision, setRevision] = useState(0);
  const values = useRef(new Map<string, Json | undefined>());
  const { executionId = '', execution, runs, sources, run, selected, isLoading } = data;
  const shown = useMemo(
    (): PreviewExecution => ({
      workflowId,
      workflowActive: false,
      executionId,
      mode: execution?.mode ?? 'manual',
      runs,
      vars: vars.data ?? NO_VARIABLES,
      defaultTimezone: ZONE,
      ...(execution?.customData === undefined ? {} : { customData: textsOf(execution.customData) }),
    }),
    [workflowId, executionId, execution, runs, vars.data],
  );
  useEffect(() => () => session.close(), [session]);
  useEffect(() => {
    session.setKinds([...kinds.values()]);
  }, [session, kinds]);
  useEffect(() => {
    session.setExecution(shown);
    setRevision((before) => before + 1);
  }, [session, shown]);
  const isFirst = useRef(true);
  useEffect(() => {
    const give = (): void => {
      session.setDefinition(document.text);
      setRevision((before) => before + 1);
    };
    if (isFirst.current) {
      isFirst.current = false;
      give();
      return undefined;
    }
    const timer = window.setTimeout(give, DRAFT_MS);
    return () => window.clearTimeout(timer);
  }, [session, document]);
  const { item } = selected;
  const preview = useMemo(
    (): Preview => ({
      session,
      place: isLoading ? undefined : { node: name, sources, run, item },
      revision,
      valueOf: (key) => values.current.get(key),
      remember: (key, value) => values.current.set(key, value),
    }),
    [session, isLoading, name, sources, run, item, revision],
  );
  return <PreviewContext value={preview}>{children}</PreviewContext>;
};

const textsOf = (data: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, String(value)]));
