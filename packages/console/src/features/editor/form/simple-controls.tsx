import type { Json } from '@weft/node-catalogue/definitions';
import {
  beginExpression,
  type BegunExpression,
  type Control,
  type FormField,
  readNumber,
} from '@weft/workflow-edit/form';
import { Icon } from '../../../ui/icon';
import { CodeField } from '../expression/code-field';
import { expressionEditor, loadExpressionEditor } from '../expression/load-editor';
import { useEdits } from './form-context';
import { useDraft } from './use-draft';

type ControlOf<Kind extends Control['kind']> = Extract<Control, { readonly kind: Kind }>;

/** A control with the field that it edits. */
export interface ControlProps<Kind extends Control['kind']> {
  readonly field: FormField;
  readonly control: ControlOf<Kind>;
}

/** Attributes of an input that connect it with its label and its message. */
export const useInputProps = (field: FormField, problem?: string) => {
  const { idOf } = useEdits();
  const id = idOf(field);
  const hasProblem = field.error !== undefined || problem !== undefined;
  return { id, 'aria-invalid': hasProblem, 'aria-describedby': hasProblem ? `${id}-error` : undefined } as const;
};

/** A problem with what was typed, which is not stored. */
export const Problem = ({ field, text }: { field: FormField; text: string | undefined }) => {
  const { idOf } = useEdits();
  if (text === undefined) return null;
  return (
    <p className="st error wraps" id={`${idOf(field)}-error`} role="alert">
      <Icon name="error" size={12} />
      <span>{text}</span>
    </p>
  );
};

type Begin = (field: FormField, begun: BegunExpression) => void;

/**
 * The handler of a field that a user types in: `{{` makes an expression of a text that can be one.
 * @param beginAs absent: the value of the field becomes the expression
 */
export const useTyping = (field: FormField, before: string, change: (text: string) => void, beginAs?: Begin) => {
  const edits = useEdits();
  const begin: Begin = beginAs ?? edits.beginExpression;
  return ({ target }: { target: HTMLInputElement | HTMLTextAreaElement }): void => {
    const { value, selectionEnd } = target;
    const begun = field.canSwitch ? beginExpression(before, value, selectionEnd ?? value.length) : undefined;
    if (begun !== undefined && expressionEditor.get() !== undefined) return begin(field, begun);
    change(value);
    if (begun === undefined) return;
    void loadExpressionEditor().then(() => {
      const { value: text, selectionEnd: cursor, isConnected } = target;
      const expression = text.startsWith('=') ? text : `=${text}`;
      if (isConnected) begin(field, { expression, cursor: cursor ?? text.length, typed: '' });
    });
  };
};

/** One line of text. */
export const LineInput = ({
  field,
  text,
  onChange,
}: {
  field: FormField;
  text: string;
  onChange: ReturnType<typeof useTyping>;
}) => (
  <input
    {...useInputProps(field)}
    className="tin"
    type="text"
    autoComplete="off"
    spellCheck={false}
    value={text}
    placeholder={field.descriptor.placeholder}
    onChange={onChange}
  />
);

/** One or several lines of text, or code. */
export const TextControl = ({ field, control: { text, editor } }: ControlProps<'text'>) => {
  const { set, isReadOnly } = useEdits();
  const input = useInputProps(field);
  const change = (next: string): void => set(field.path, next, true);
  const onChange = useTyping(field, text, change);
  if (editor !== undefined && editor !== 'cron' && editor !== 'multiline')
    return (
      <CodeField text={text} language={editor} label={field.descriptor.label} isReadOnly={isReadOnly} change={change} />
    );
  if (editor === 'multiline' || text.includes('\n'))
    return (
      <textarea
        {...input}
        className="tarea"
        rows={Math.min(12, Math.max(3, text.split('\n').length))}
        value={text}
        placeholder={field.descriptor.placeholder}
        onChange={onChange}
      />
    );
  return <LineInput field={field} text={text} onChange={onChange} />;
};

/** A number; an empty field removes the value, so that the default counts. */
export const NumberControl = ({ field, control: { number } }: ControlProps<'number'>) => {
  const { set } = useEdits();
  const stored = number === undefined ? '' : String(number);
  const draft = useDraft(stored, readNumber, String, (value) => set(field.path, value, true));
  const input = useInputProps(field, draft.problem);
  const onChange = useTyping(field, draft.text, (text) =>
    text === '' ? set(field.path, undefined, true) : draft.type(text),
  );
  return (
    <>
      <input
        {...input}
        className="tin num"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        value={draft.text}
        placeholder={field.descriptor.placeholder}
        onChange={onChange}
      />
      <Problem field={field} text={draft.problem} />
    </>
  );
};

/** On or off. */
export const SwitchControl = ({ field, control: { isOn, isText } }: ControlProps<'switch'>) => {
  const { set, idOf } = useEdits();
  return (
    <button
      type="button"
      id={idOf(field)}
      className="switch"
      role="switch"
      aria-checked={isOn}
      aria-label={field.descriptor.label}
      onClick={() => set(field.path, isText ? String(!isOn) : !isOn)}
    />
  );
};

/** Options that the workflow language has and Weft does not, with the reasons. */
const Refused = ({ choices }: { choices: ControlOf<'select'>['choices'] }) => {
  const refused = choices.flatMap(({ option: { label, refused: reason } }) =>
    reason === undefined ? [] : [{ label, reason }],
  );
  if (refused.length === 0) return null;
  return (
    <details className="refused">
      <summary>
        {refused.length === 1 ? 'One choice is not supported' : `${refused.length} choices are not supported`}
      </summary>
      <dl>
        {refused.map(({ label, reason }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{reason}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
};

/** One of several options. */
export const SelectControl = ({ field, control: { choices } }: ControlProps<'select'>) => {
  const { set } = useEdits();
  const input = useInputProps(field);
  const chosen = choices.findIndex(({ isChosen }) => isChosen);
  return (
    <>
      <select
        {...input}
        className="tin"
        value={chosen}
        onChange={({ target }) => {
          const choice = choices[Number(target.value)];
          if (choice !== undefined) set(field.path, choice.option.value);
        }}
      >
        {chosen < 0 && <option value={-1}>Choose …</option>}
        {choices.map(({ option, isKnown }, at) => (
          <option key={at} value={at} disabled={option.refused !== undefined && at !== chosen}>
            {option.label}
            {option.refused !== undefined ? ' (not supported)' : isKnown || option.value === '' ? '' : ' (unknown)'}
          </option>
        ))}
      </select>
      <Refused choices={choices} />
    </>
  );
};

/** Several of several options. */
export const ChecksControl = ({ field, control: { choices } }: ControlProps<'checks'>) => {
  const { set } = useEdits();
  const toggle = (at: number, isOn: boolean): void => {
    const next = choices.flatMap(({ option, isChosen }, index): Json[] =>
      (index === at ? isOn : isChosen) ? [option.value] : [],
    );
    set(field.path, next);
  };
  return (
    <div className="checks" role="group" aria-label={field.descriptor.label}>
      {choices.map(({ option, isChosen, isKnown }, at) => (
        <label key={at}>
          <input
            type="checkbox"
            checked={isChosen}
            disabled={option.refused !== undefined && !isChosen}
            onChange={({ target }) => toggle(at, target.checked)}
          />
          {option.label}
          {!isKnown && <span className="faint"> (unknown)</span>}
        </label>
      ))}
      <Refused choices={choices} />
    </div>
  );
};

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/;

/** A date and time without a zone, which is the workflow's; a text of another form stays a text. */
export const DateTimeControl = ({ field, control: { text } }: ControlProps<'dateTime'>) => {
  const { set } = useEdits();
  const input = useInputProps(field);
  const isLocal = text === '' || LOCAL_TIME.test(text);
  return (
    <input
      {...input}
      className="tin"
      type={isLocal ? 'datetime-local' : 'text'}
      step={1}
      value={text}
      onChange={({ target: { value } }) =>
        set(field.path, isLocal && value.length === 16 ? `${value}:00` : value, !isLocal)
      }
    />
  );
};
