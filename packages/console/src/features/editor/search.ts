import { memberOf } from '../../ui/values/json';

/** Views of a workflow. */
export const TABS = ['editor', 'executions', 'conversations', 'versions', 'schedule', 'settings'] as const;
export type EditorTab = (typeof TABS)[number];

/** The address of the editor. */
export interface EditorSearch {
  /** Absent: the editor itself. */
  readonly tab?: Exclude<EditorTab, 'editor'> | undefined;
  /** Execution whose data is shown; absent: the last one. */
  readonly execution?: string | undefined;
  /** Node whose form is open at first. */
  readonly node?: string | undefined;
}

const isTab = (value: unknown): value is Exclude<EditorTab, 'editor'> =>
  value !== 'editor' && TABS.some((tab) => tab === value);

/** Reads the address; what has no meaning is left out. */
export const readEditorSearch = (search: Readonly<Record<string, unknown>>): EditorSearch => {
  const [tab, execution, node] = ['tab', 'execution', 'node'].map((name) => memberOf(search, name));
  return {
    ...(isTab(tab) ? { tab } : {}),
    ...(typeof execution === 'string' && execution !== '' ? { execution } : {}),
    ...(typeof node === 'string' && node !== '' ? { node } : {}),
  };
};
