import { autocompletion } from '@codemirror/autocomplete';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import type { Extension } from '@codemirror/state';
import { lineNumbers } from '@codemirror/view';
import type { ParameterEditor } from '@weft/node-catalogue/definitions';
import { useState } from 'react';
import { ShadowEditor } from './shadow-editor';

const extensionsFor = (language: ParameterEditor): Extension => {
  if (language === 'javascript') return [javascript(), lineNumbers(), autocompletion({ icons: false })];
  return language === 'json' ? json() : [];
};

interface CodeEditorProps {
  readonly text: string;
  readonly language: ParameterEditor;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly change: (text: string) => void;
}

/** An editor for code. */
export const CodeEditor = ({ language, ...props }: CodeEditorProps) => {
  const [extensions] = useState(() => extensionsFor(language));
  return (
    <div className="xf">
      <ShadowEditor {...props} extensions={extensions} />
    </div>
  );
};
