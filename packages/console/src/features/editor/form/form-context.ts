import type { Json } from '@weft/node-catalogue/definitions';
import { setParameter, swapEntries, type Path } from '@weft/workflow-edit';
import type { BegunExpression, FormField } from '@weft/workflow-edit/form';
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
  /**
   * Makes a field an expression, whose editor gets the focus as soon as it is there.
   * @param around a value that contains the expression, with its path; absent: the field itself
   */
  readonly beginExpression: (field: Pick<FormField, 'key' | 'path'>, begun: BegunExpression, around?: Around) => void;
  /** How the expression of a field was begun; undefined unless its editor is to get the focus. */
  readonly begunAt: (key: string) => Begun | undefined;
  /** Says that the editor has the focus. */
  readonly endBeginning: () => void;
  /** Id of the input of a field, for its label. */
  readonly idOf: (field: Pick<FormField, 'key'>) => string;
}

/** A value that is stored in place of one of its parts. */
export interface Around {
  readonly path: Path;
  readonly value: Json;
}

type Begun = Pick<BegunExpression, 'cursor' | 'typed'>;

/** Edits of the parameters of a node, for its form. */
export const useNodeEdits = (name: string): NodeEdits => {
  const { edit, isReadOnly } = useEditor();
  const prefix = useId();
  const typed = useRef(0);
  const begun = useRef<Begun & { readonly key: string }>(undefined);
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
      beginExpression: ({ key, path }, { expression, cursor, typed: rest }, around) => {
        begun.current = { key, cursor, typed: rest };
        const { path: place, value } = around ?? { path, value: expression };
        edit((document) => setParameter(document, name, place, value));
      },
      begunAt: (key) => (begun.current?.key === key ? begun.current : undefined),
      endBeginning: () => {
        begun.current = undefined;
      },
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
