import type { Json } from '@weft/node-catalogue/definitions';
import { setParameter, swapEntries, type Path } from '@weft/workflow-edit';
import type { FormField } from '@weft/workflow-edit/form';
import { createContext, use, useId, useMemo, useRef } from 'react';
import { useEditor } from '../editor-context';

/** Edits of the parameters of one node. */
export interface NodeEdits {
  readonly name: string;
  readonly isReadOnly: boolean;
  /** Sets a value; undefined removes it. Typed text is one undo step until the focus changes. */
  readonly set: (path: Path, value: Json | undefined, isTyped?: boolean) => void;
  /** Exchanges two entries of an array. */
  readonly swap: (path: Path, entries: readonly [number, number]) => void;
  /** Ends the undo step of typed text. */
  readonly endTyping: () => void;
  /** Id of the input of a field, for its label. */
  readonly idOf: (field: Pick<FormField, 'key'>) => string;
}

/** Edits of the parameters of a node, for its form. */
export const useNodeEdits = (name: string): NodeEdits => {
  const { edit, isReadOnly } = useEditor();
  const prefix = useId();
  const typed = useRef(0);
  return useMemo(
    () => ({
      name,
      isReadOnly,
      set: (path, value, isTyped = false) =>
        edit(
          (document) => setParameter(document, name, path, value),
          isTyped ? `typing ${prefix} ${typed.current} ${path.join('.')}` : undefined,
        ),
      swap: (path, entries) => edit((document) => swapEntries(document, name, path, entries)),
      endTyping: () => {
        typed.current += 1;
      },
      idOf: ({ key }) => `${prefix}-${key}`,
    }),
    [name, isReadOnly, edit, prefix],
  );
};

const NodeEditsContext = createContext<NodeEdits | undefined>(undefined);
export const NodeEditsProvider = NodeEditsContext.Provider;

/** The edits of the form around a control. @throws Error outside of a form */
export const useEdits = (): NodeEdits => {
  const edits = use(NodeEditsContext);
  if (edits === undefined) throw new Error('There is no form around this control.');
  return edits;
};
