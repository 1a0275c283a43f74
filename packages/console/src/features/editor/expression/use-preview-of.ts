import type { PreviewExecution, PreviewPlace } from '@weft/engine/preview/session';
import type { Execution, NodeType } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import type { Json } from '@weft/node-catalogue/definitions';
import { useEffect, useMemo, useRef, useState } from 'react';
import { variablesQuery } from '../../../api/editor-queries';
import { createStore, useStore } from '../../../ui/store';
import type { Preview } from './preview-context';
import { openPreviewSession } from './preview-session';

/** A draft is given to the worker when no key was pressed for this time: the text that is typed is sent separately. */
const DRAFT_MS = 150;

/** The workflow, the data and the place of previews. */
export interface PreviewSubject {
  /** The definition as JSON. */
  readonly text: string;
  readonly kinds: ReadonlyMap<string, NodeType>;
  readonly execution: PreviewExecution;
  /** Undefined while data is loaded. */
  readonly place: PreviewPlace | undefined;
  /** False while the node has no input item. */
  readonly hasItem: boolean;
}

/** Opens a session of previews for as long as a component is shown. */
export const usePreviewOf = ({ text, kinds, execution, place, hasItem }: PreviewSubject): Preview => {
  const [session] = useState(openPreviewSession);
  const [revisions] = useState(() => createStore(0));
  const revision = useStore(revisions);
  const values = useRef(new Map<string, Json | undefined>());
  useEffect(() => () => session.close(), [session]);
  useEffect(() => {
    session.setKinds([...kinds.values()]);
  }, [session, kinds]);
  useEffect(() => {
    session.setExecution(execution);
    revisions.set(revisions.get() + 1);
  }, [session, revisions, execution]);
  const isFirst = useRef(true);
  useEffect(() => {
    const give = (): void => {
      session.setDefinition(text);
      revisions.set(revisions.get() + 1);
    };
    if (isFirst.current) {
      isFirst.current = false;
      give();
      return undefined;
    }
    const timer = window.setTimeout(give, DRAFT_MS);
    return () => window.clearTimeout(timer);
  }, [session, revisions, text]);
  return useMemo(
    (): Preview => ({
      session,
      place,
      hasItem,
      revision,
      valueOf: (key) => values.current.get(key),
      remember: (key, value) => values.current.set(key, value),
    }),
    [session, place, hasItem, revision],
  );
};

/** Zone of previews of workflows that set none: the one of the person who looks at them. */
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const NO_VARIABLES: Readonly<Record<string, Json>> = {};

/** Texts by name, as `$execution.customData` has them. */
const textsOf = (data: Readonly<Record<string, unknown>> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, String(value)]));

/** Data of an execution that previews read, with the variables of the user. */
export const usePreviewExecution = ({
  workflowId,
  executionId,
  mode,
  runs,
  customData,
}: Pick<PreviewExecution, 'workflowId' | 'executionId' | 'mode' | 'runs'> & {
  readonly customData: Execution['customData'] | undefined;
}): PreviewExecution => {
  const vars = useQuery({ ...variablesQuery, retry: false }).data ?? NO_VARIABLES;
  return useMemo(
    () => ({
      workflowId,
      workflowActive: false,
      executionId,
      mode,
      runs,
      vars,
      defaultTimezone: OWN_ZONE,
      customData: textsOf(customData),
    }),
    [workflowId, executionId, mode, runs, vars, customData],
  );
};
