import { setWorkflowName } from '@weft/workflow-edit';
import { useEffect, useRef, useState } from 'react';
import { useEditor } from '../editor-context';

const MAX_NAME = 500;

/** The name of the workflow, which can be changed in place. */
export const WorkflowName = ({ shown }: { shown: string }) => {
  const { document, edit, isReadOnly } = useEditor();
  const { name } = document.definition;
  const [text, setText] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isEdited = text !== undefined;
  useEffect(() => {
    if (isEdited) field.current?.select();
  }, [isEdited]);
  if (isReadOnly)
    return (
      <h1 className="clip edname" title={shown}>
        {shown}
      </h1>
    );
  const end = (next: string | undefined): void => {
    setText(undefined);
    if (next !== undefined && next !== '' && next !== name) edit((before) => setWorkflowName(before, next));
  };
  return (
    <h1 className="edname">
      {isEdited ? (
        <input
          ref={field}
          className="tin"
          aria-label="Name of the workflow"
          maxLength={MAX_NAME}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onBlur={() => end(text.trim())}
          onKeyDown={({ key }) => {
            if (key !== 'Enter' && key !== 'Escape') return;
            end(key === 'Enter' ? text.trim() : undefined);
            requestAnimationFrame(() => button.current?.focus());
          }}
        />
      ) : (
        <button ref={button} type="button" className="clip" title={`${shown}: rename`} onClick={() => setText(name)}>
          {shown}
        </button>
      )}
    </h1>
  );
};
