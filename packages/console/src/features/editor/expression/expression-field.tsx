import type { FormField } from '@weft/workflow-edit/form';
import { use, useEffect, useState } from 'react';
import { useStore } from '../../../ui/store';
import { useEditor } from '../editor-context';
import { useEdits } from '../form/form-context';
import { PlainEditor } from './code-field';
import { expressionEditor, loadExpressionEditor } from './load-editor';
import { PreviewContext } from './preview-context';
import { PreviewLine } from './preview-line';
import { usePreview } from './use-preview';

/** An expression with the value that it has for the selected item. */
export const ExpressionField = ({ field, text }: { field: FormField; text: string }) => {
  const { set, isReadOnly, begunAt, endBeginning } = useEdits();
  const { document } = useEditor();
  const [begun] = useState(() => begunAt(field.key));
  const loaded = useStore(expressionEditor);
  useEffect(() => void loadExpressionEditor(), []);
  const preview = usePreview(field.key, text);
  const { label } = field.descriptor;
  const change = (next: string): void => set(field.path, next, true);
  const isCurrent = preview !== undefined && preview.text === text;
  const errorAt = isCurrent && preview.outcome.kind === 'error' ? preview.outcome.position : undefined;
  return (
    <>
      <div className="xf">
        {loaded === undefined ? (
          <PlainEditor
            text={text.slice(1)}
            label={label}
            isReadOnly={isReadOnly}
            change={(next) => change(`=${next}`)}
          />
        ) : (
          <loaded.Editor
            text={text}
            label={label}
            isReadOnly={isReadOnly}
            change={change}
            errorAt={errorAt}
            begun={begun}
            onBegun={endBeginning}
          />
        )}
      </div>
      <PreviewLine
        preview={preview}
        hasItem={use(PreviewContext)?.hasItem ?? false}
        names={document.entries().map(({ name }) => name)}
        repair={isCurrent && !isReadOnly ? (next) => set(field.path, next) : undefined}
      />
    </>
  );
};
