import { useQuery } from '@tanstack/react-query';
import type { Json } from '@weft/node-catalogue/definitions';
import type { FormField } from '@weft/workflow-edit/form';
import { referencesQuery } from '../../../api/editor-queries';
import { Picker } from '../../../ui/picker';
import { useEdits } from './form-context';
import { type ControlProps, useInputProps } from './simple-controls';

/** Names of the ways in which other editors let users give a resource. */
const MODES: readonly (readonly [string, string])[] = [
  ['list', 'From list'],
  ['id', 'By id'],
  ['name', 'By name'],
  ['url', 'By URL'],
];

type LocatorProps = ControlProps<'locator'>;

/** Resources to choose from, if the parameter says which; with the current one even if it is not among them. */
const Resources = ({ field, control }: LocatorProps) => {
  const { reference, inner, isObject, name } = control;
  const { set } = useEdits();
  const input = useInputProps(field);
  const list = useQuery(referencesQuery(reference ?? 'workflow'));
  const current = typeof inner.value === 'string' ? inner.value : '';
  const choices = list.data ?? [];
  const isListed = current === '' || choices.some(({ id }) => id === current);
  const choose = (id: string): void => {
    const label = choices.find((choice) => choice.id === id)?.name ?? id;
    const value: Json = isObject ? { __rl: true, mode: 'list', value: id, cachedResultName: label } : id;
    set(field.path, value);
  };
  return (
    <select {...input} className="tin" value={current} onChange={({ target }) => choose(target.value)}>
      <option value="">
        {list.isPending ? 'Loading …' : list.isError ? 'The list could not be loaded' : 'Choose …'}
      </option>
      {!isListed && <option value={current}>{name ?? current}</option>}
      {choices.map(({ id, name: label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  );
};

const IdInput = ({ field, inner }: { field: FormField; inner: FormField }) => {
  const { set } = useEdits();
  const input = useInputProps(field);
  const text = typeof inner.value === 'string' || typeof inner.value === 'number' ? String(inner.value) : '';
  return (
    <input
      {...input}
      className="tin"
      type="text"
      autoComplete="off"
      spellCheck={false}
      value={text}
      placeholder={inner.descriptor.placeholder}
      onChange={({ target }) => set(inner.path, target.value, true)}
    />
  );
};

/** The id of a resource: chosen from a list, or typed. */
export const LocatorControl = ({ field, control }: LocatorProps) => {
  const { set } = useEdits();
  const { reference, isObject, mode, inner } = control;
  const hasList = reference !== undefined && reference !== 'credential';
  const shown = isObject ? mode : 'list';
  const modes = MODES.filter(([word]) => word !== 'list' || hasList || mode === 'list');
  return (
    <div className="locator">
      {isObject && (
        <Picker
          label={`How ${field.descriptor.label} is given`}
          value={mode}
          choices={modes}
          all="Choose …"
          change={(next) => next !== undefined && set([...field.path, 'mode'], next)}
        />
      )}
      {shown === 'list' && hasList ? (
        <Resources field={field} control={control} />
      ) : (
        <IdInput field={field} inner={inner} />
      )}
    </div>
  );
};
