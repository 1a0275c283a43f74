import { useInfiniteQuery } from '@tanstack/react-query';
import { setSetting, setWorkflowName } from '@weft/workflow-edit';
import { useId, useState } from 'react';
import { workflowsQuery } from '../../../api/queries';
import { JsonTree } from '../../../ui/values/json-tree';
import { isRecord } from '../../../ui/values/json';
import { useEditor } from '../editor-context';
import { SETTING_GROUPS, SETTING_KEYS, type SettingField } from './settings-fields';

const ZONES = Intl.supportedValuesOf('timeZone');

/** A field that changes the document when it is left, or Enter is pressed. */
const TextField = ({
  label,
  help,
  value,
  change,
  isNumber = false,
  choices = [],
}: {
  label: string;
  help?: string | undefined;
  value: string;
  change: (text: string) => void;
  isNumber?: boolean;
  choices?: readonly string[];
}) => {
  const id = useId();
  const { isReadOnly } = useEditor();
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setText(value);
  }
  const commit = (): void => {
    if (text !== value) change(text);
  };
  return (
    <div className="ed-setting">
      <label htmlFor={id}>{label}</label>
      <span className="field">
        <input
          id={id}
          value={text}
          readOnly={isReadOnly}
          inputMode={isNumber ? 'numeric' : undefined}
          list={choices.length > 0 ? `${id}-list` : undefined}
          aria-describedby={help === undefined ? undefined : `${id}-help`}
          onChange={({ target }) => setText(target.value)}
          onBlur={commit}
          onKeyDown={({ key }) => key === 'Enter' && commit()}
        />
      </span>
      {choices.length > 0 && (
        <datalist id={`${id}-list`}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {help !== undefined && (
        <small className="faint" id={`${id}-help`}>
          {help}
        </small>
      )}
    </div>
  );
};

const SelectField = ({
  label,
  help,
  value,
  choices,
  change,
}: {
  label: string;
  help?: string | undefined;
  value: string;
  choices: readonly (readonly [string, string])[];
  change: (value: string) => void;
}) => {
  const id = useId();
  const { isReadOnly } = useEditor();
  const isKnown = choices.some(([choice]) => choice === value);
  return (
    <div className="ed-setting">
      <label htmlFor={id}>{label}</label>
      <span className="picker">
        <select id={id} value={value} disabled={isReadOnly} onChange={({ target }) => change(target.value)}>
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
          {!isKnown && <option value={value}>{value}</option>}
        </select>
      </span>
      {help !== undefined && <small className="faint">{help}</small>}
    </div>
  );
};

/** A workflow of this instance, by name. */
const WorkflowField = ({
  field,
  value,
  change,
}: {
  field: SettingField;
  value: string;
  change: (id: string) => void;
}) => {
  const { workflowId } = useEditor();
  const list = useInfiniteQuery(workflowsQuery({}));
  const others = (list.data?.pages ?? [])
    .flatMap(({ data }) => data)
    .filter(({ id }) => id !== workflowId)
    .map(({ id, name }) => [id, name] as const);
  return (
    <SelectField
      label={field.label}
      help={field.help}
      value={value}
      choices={[['', 'None'], ...others]}
      change={change}
    />
  );
};

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Values that older editors write for the default. */
const withoutDefault = (key: string, value: string): string =>
  value === 'all' || value === 'DEFAULT' || (key === 'callerPolicy' && value === 'workflowsFromSameOwner') ? '' : value;

const Setting = ({ field }: { field: SettingField }) => {
  const { document, edit } = useEditor();
  const { key, label, help } = field;
  const settings = isRecord(document.json['settings']) ? document.json['settings'] : {};
  const value = withoutDefault(key, textOf(settings[key]));
  const set = (next: string | number): void => edit((now) => setSetting(now, key, next === '' ? undefined : next));
  if (field.kind === 'choice')
    return <SelectField label={label} help={help} value={value} choices={field.choices} change={set} />;
  if (field.kind === 'workflow') return <WorkflowField field={field} value={value} change={set} />;
  const isNumber = field.kind === 'number';
  return (
    <TextField
      label={label}
      help={help}
      value={value}
      isNumber={isNumber}
      choices={field.kind === 'zone' ? ZONES : []}
      change={(text) => {
        const number = Number(text);
        set(isNumber && text.trim() !== '' && Number.isFinite(number) ? number : text.trim());
      }}
    />
  );
};

/** Settings of the workflow that no field shows. */
const Others = () => {
  const { document } = useEditor();
  const settings = isRecord(document.json['settings']) ? document.json['settings'] : {};
  const others = Object.entries(settings).filter(([key]) => !SETTING_KEYS.has(key));
  if (others.length === 0) return null;
  return (
    <section className="ed-group" aria-label="Other settings">
      <h2>Other settings</h2>
      <JsonTree value={Object.fromEntries(others)} label="Other settings" />
    </section>
  );
};

/** Name and settings of the workflow. They are saved with it. */
export const SettingsTab = () => {
  const { document, edit } = useEditor();
  return (
    <div className="page ed-tab">
      <section className="ed-group" aria-label="Workflow">
        <h2>Workflow</h2>
        <TextField
          label="Name"
          value={document.definition.name}
          change={(name) => edit((now) => setWorkflowName(now, name))}
        />
      </section>
      {SETTING_GROUPS.map(({ title, fields }) => (
        <section key={title} className="ed-group" aria-label={title}>
          <h2>{title}</h2>
          {fields.map((field) => (
            <Setting key={field.key} field={field} />
          ))}
        </section>
      ))}
      <Others />
    </div>
  );
};
