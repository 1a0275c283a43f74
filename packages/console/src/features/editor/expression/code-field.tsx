import type { ParameterEditor } from '@weft/node-catalogue/definitions';
import { lazy, Suspense } from 'react';

const CodeEditor = lazy(() => import('./code-editor').then((module) => ({ default: module.CodeEditor })));

interface CodeFieldProps {
  readonly text: string;
  readonly language: ParameterEditor;
  /** Accessible name. */
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly change: (text: string) => void;
}

/** The field until its editor is loaded: the same text, and it can be typed in. */
export const PlainEditor = ({ text, label, isReadOnly, change }: Omit<CodeFieldProps, 'language'>) => (
  <textarea
    className="tarea code"
    aria-label={label}
    readOnly={isReadOnly}
    rows={Math.min(12, Math.max(1, text.split('\n').length))}
    spellCheck={false}
    value={text}
    onChange={({ target }) => change(target.value)}
  />
);

/** A field for code of a language. */
export const CodeField = (props: CodeFieldProps) => (
  <Suspense fallback={<PlainEditor {...props} />}>
    <CodeEditor {...props} />
  </Suspense>
);
