import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeColours, codeTheme } from './theme';

/** Marks a change that comes from the document of the workflow. */
const isFromOutside = Annotation.define<boolean>();

interface ShadowEditorProps {
  readonly text: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly change: (text: string) => void;
  /** What the kind of text adds; the first one counts. */
  readonly extensions: Extension;
  readonly hint?: string | undefined;
  /** Gets the view once it is there. */
  readonly onView?: (view: EditorView | undefined) => void;
}

/** Replaces the part that differs, so that the cursor stays where it was. */
const syncText = (view: EditorView, text: string): void => {
  const before = view.state.doc.toString();
  if (before === text) return;
  let start = 0;
  const most = Math.min(before.length, text.length);
  while (start < most && before[start] === text[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  view.dispatch({
    changes: { from: start, to: before.length - end, insert: text.slice(start, text.length - end) },
    annotations: isFromOutside.of(true),
  });
};

/** Ctrl Enter starts a run. */
const KEYS = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

/**
 * Types over a selection. Browsers keep the colours of the replaced text as inline styles, which the policy of the page
 * refuses.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { state } = view;
    const { from, to, empty } = state.selection.main;
    const { data, inputType } = event;
    if (inputType !== 'insertText' || data === null || empty || view.composing || state.readOnly) return false;
    const insert = () => state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    if (!state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert)))
      view.dispatch(insert());
    return true;
  },
});

const baseExtensions = (label: string, hint: string | undefined): Extension => [
  history(),
  typeOverSelection,
  bracketMatching(),
  closeBrackets(),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, 'aria-multiline': 'true', spellcheck: 'false' }),
  syntaxHighlighting(codeColours),
  codeTheme,
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, indentWithTab, ...KEYS]),
  ...(hint === undefined ? [] : [placeholder(hint)]),
];

/**
 * A CodeMirror in a shadow root, where the policy of the page lets it have its styles. Tab leaves it; Ctrl M makes Tab
 * indent until the next Ctrl M.
 */
export const ShadowEditor = ({ text, label, isReadOnly, change, extensions, hint, onView }: ShadowEditorProps) => {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const access = useRef(new Compartment());
  const latest = useRef({ text, label, isReadOnly, change, extensions, hint, onView });
  useEffect(() => {
    latest.current = { text, label, isReadOnly, change, extensions, hint, onView };
  });
  // Before the view is made: what `onView` types into it stays.
  useEffect(() => {
    if (view.current !== undefined) syncText(view.current, text);
  }, [text]);
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open', delegatesFocus: true });
    const first = latest.current;
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: first.text,
        extensions: [
          first.extensions,
          baseExtensions(first.label, first.hint),
          access.current.of(EditorState.readOnly.of(first.isReadOnly)),
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            if (!docChanged || transactions.some((one) => one.annotation(isFromOutside) === true)) return;
            latest.current.change(state.doc.toString());
          }),
        ],
      }),
    });
    made.setTabFocusMode(true);
    view.current = made;
    first.onView?.(made);
    return () => {
      first.onView?.(undefined);
      made.destroy();
    };
  }, []);
  useEffect(() => {
    view.current?.dispatch({ effects: access.current.reconfigure(EditorState.readOnly.of(isReadOnly)) });
  }, [isReadOnly]);
  return <div className="shadow-editor" ref={host} />;
};
