import {
  autocompletion,
  insertBracket,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import type { CompletionOption } from '@weft/engine/preview/session';
import type { BegunExpression } from '@weft/workflow-edit/form';
import { use, useEffect, useState } from 'react';
import { createStore } from '../../../ui/store';
import { expressionHighlighting, setErrorPosition } from './highlight';
import { type Preview, PreviewContext } from './preview-context';
import { ShadowEditor } from './shadow-editor';

interface ExpressionEditorProps {
  /** With its `=`, which is not shown. */
  readonly text: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly change: (text: string) => void;
  /** Offset of an error in the text. */
  readonly errorAt: number | undefined;
  /** Where the user began to type the expression in another control; absent: the editor does not take the focus. */
  readonly begun: Pick<BegunExpression, 'cursor' | 'typed'> | undefined;
  /** Called when the editor has taken the focus. */
  readonly onBegun: () => void;
}

/** Continues where the user began to type, with the closing braces. */
const continueTyping = (view: EditorView, { cursor, typed }: NonNullable<ExpressionEditorProps['begun']>): void => {
  view.focus();
  view.dispatch({ selection: { anchor: Math.min(cursor, view.state.doc.length) } });
  for (const bracket of typed) {
    const change = insertBracket(view.state, bracket);
    view.dispatch(change ?? view.state.replaceSelection(bracket));
  }
};

/** Own fields come first, then roots and nodes, then methods. */
const BOOST: Readonly<Record<CompletionOption['kind'], number>> = {
  field: 20,
  root: 10,
  node: 10,
  method: 0,
  global: -10,
};

const NAME = /^[A-Za-z_$][\w$]*$/;

/** A suggestion as the editor inserts it. */
const toCompletion = (option: CompletionOption, isMember: boolean): Completion => {
  const { name, kind, value = '' } = option;
  const boost = BOOST[kind];
  if (kind === 'method') return { label: `${name}()`, apply: applyMethod(name), detail: 'method', boost };
  if (kind === 'global') return { label: name, boost };
  // A key that is not a name is written in brackets, in place of the dot.
  if (kind === 'field' && isMember && !NAME.test(name))
    return { label: name, detail: value, boost, apply: applyKey(name) };
  return { label: name, ...(value === '' ? {} : { detail: value }), boost };
};

const applyMethod =
  (name: string) =>
  (view: EditorView, _completion: Completion, from: number, to: number): void => {
    view.dispatch({ changes: { from, to, insert: `${name}()` }, selection: { anchor: from + name.length + 1 } });
  };

const applyKey =
  (name: string) =>
  (view: EditorView, _completion: Completion, from: number, to: number): void => {
    const insert = `[${JSON.stringify(name)}]`;
    const start = view.state.doc.sliceString(from - 1, from) === '.' ? from - 1 : from;
    view.dispatch({ changes: { from: start, to, insert }, selection: { anchor: start + insert.length } });
  };

/** Suggestions of the worker for the text before the cursor. */
const suggest = async (preview: Preview | undefined, at: CompletionContext): Promise<CompletionResult | null> => {
  if (preview?.place === undefined) return null;
  const typed = at.state.doc.sliceString(Math.max(0, at.pos - 1), at.pos);
  if (!at.explicit && !/[\w$.["'`]/.test(typed)) return null;
  const text = `=${at.state.doc.toString()}`;
  const outcome = await preview.session.complete(text, at.pos + 1, preview.place);
  if (outcome.kind !== 'options' || at.aborted) return null;
  const { context, options } = outcome;
  return {
    from: context.from - 1,
    options: options.map((option) => toCompletion(option, context.kind === 'member')),
    validFor: /^[\w$]*$/,
  };
};

/** The editor of an expression. */
export const ExpressionEditor = ({
  text,
  label,
  isReadOnly,
  change,
  errorAt,
  begun,
  onBegun,
}: ExpressionEditorProps) => {
  const preview = use(PreviewContext);
  // The editor is made once, and asks for the previews that are current then.
  const [latest] = useState(() => createStore(preview));
  const [view, setView] = useState<EditorView>();
  useEffect(() => latest.set(preview), [latest, preview]);
  const [extensions] = useState(() => [
    expressionHighlighting,
    autocompletion({ icons: false, override: [(at) => suggest(latest.get(), at)], maxRenderedOptions: 60 }),
  ]);
  useEffect(() => {
    view?.dispatch({ effects: setErrorPosition.of(errorAt === undefined ? undefined : errorAt - 1) });
  }, [view, errorAt]);
  return (
    <ShadowEditor
      text={text.slice(1)}
      label={label}
      isReadOnly={isReadOnly}
      change={(next) => change(`=${next}`)}
      extensions={extensions}
      hint="{{ $json.field }}"
      onView={(next) => {
        setView(next);
        if (next === undefined || begun === undefined) return;
        continueTyping(next, begun);
        onBegun();
      }}
    />
  );
};
