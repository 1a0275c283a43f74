import type { Path } from '@weft/workflow-edit';
import { prettyJson, readJson, type Typed } from '@weft/workflow-edit/form';
import { CodeField } from '../expression/code-field';
import { useEdits } from './form-context';
import { type ControlProps, Problem } from './simple-controls';
import { useDraft } from './use-draft';

/** Stores text as it is; it may become JSON later. */
const asText = (text: string): Typed => ({ isValid: true, value: text });

/** Says what is wrong with a text that is stored anyway. */
const problemOf = (text: string): string | undefined => {
  if (text.trim() === '' || text.includes('{{')) return undefined;
  const read = readJson(text);
  return read.isValid ? undefined : read.why;
};

/** JSON as a text or as a value. A text is stored as it is typed; a value once it is JSON. */
export const JsonControl = ({ field, control: { text, isText } }: ControlProps<'json'>) => {
  const { set, isReadOnly } = useEdits();
  const commit = (value: Parameters<typeof set>[1]): void => set(field.path, value, true);
  const draft = useDraft(text, isText ? asText : readJson, isText ? String : prettyJson, commit);
  const problem = draft.problem ?? (isText ? problemOf(draft.text) : undefined);
  return (
    <>
      <CodeField
        text={draft.text}
        language="json"
        label={field.descriptor.label}
        isReadOnly={isReadOnly}
        change={draft.type}
      />
      <Problem field={field} text={problem} />
    </>
  );
};

/** A value at a path as JSON. */
export const JsonEditor = ({ path, label, text }: { path: Path; label: string; text: string }) => {
  const { set, isReadOnly } = useEdits();
  const draft = useDraft(text, readJson, prettyJson, (value) => set(path, value, true));
  return (
    <>
      <CodeField text={draft.text} language="json" label={label} isReadOnly={isReadOnly} change={draft.type} />
      {draft.problem !== undefined && (
        <p className="st error wraps" role="alert">
          {draft.problem}
        </p>
      )}
    </>
  );
};
