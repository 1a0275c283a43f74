import { useQuery } from '@tanstack/react-query';
import type { LocatorMode } from '@weft/node-catalogue/definitions';
import { changeLocator } from '@weft/workflow-edit/form';
import { referencesQuery } from '../../../api/editor-queries';
import { Picker } from '../../../ui/picker';
import { useStore } from '../../../ui/store';
import { ExpressionField } from '../expression/expression-field';
import { useEdits } from './form-context';
import { ChoiceButton } from './options/choice-button';
import { knownLabels, labelIn } from './options/known-labels';
import { OptionPanel } from './options/option-panel';
import { useOptionsSource } from './options/options-source';
import { usePanel } from './options/use-panel';
import { type ControlProps, LineInput, useInputProps, useTyping } from './simple-controls';

/** Names of the ways in which other editors let users give a resource. */
const MODES: readonly Pick<LocatorMode, 'name' | 'label'>[] = [
  { name: 'list', label: 'From list' },
  { name: 'id', label: 'By id' },
  { name: 'name', label: 'By name' },
  { name: 'url', label: 'By URL' },
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
    set(field.path, isObject ? changeLocator(field, { mode: 'list', value: id, name: label }) : id);
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

/** A resource of a service, chosen from its list. */
const Listed = ({ field, control, list }: LocatorProps & { list: string }) => {
  const { set, idOf } = useEdits();
  const panel = usePanel(idOf(field));
  const source = useOptionsSource(field, list);
  const known = useStore(knownLabels);
  const { value = '' } = control.inner;
  const label = control.name ?? labelIn(known, list, value) ?? (value === null ? '' : String(value));
  const id = `${idOf(field)}-options`;
  const byId = control.modes.find(({ name }) => name === 'id');
  const useAsId = (text: string): void => {
    set(field.path, changeLocator(field, { mode: 'id', value: text }));
    panel.close();
  };
  return (
    <>
      <ChoiceButton field={field} text={label} panel={panel} />
      {panel.isOpen && (
        <OptionPanel
          id={id}
          label={field.descriptor.label}
          state={source}
          isChosen={(option) => option.value === value}
          choose={(option) => {
            set(field.path, changeLocator(field, { mode: 'list', value: option.value, name: option.label }));
            panel.close();
          }}
          {...(byId === undefined
            ? {}
            : { typed: { label: (text: string) => `Use “${text}” as the id`, use: useAsId } })}
          close={panel.close}
        />
      )}
    </>
  );
};

const IdInput = ({ field, control: { inner } }: LocatorProps) => {
  const { set, beginExpression } = useEdits();
  const text = typeof inner.value === 'string' || typeof inner.value === 'number' ? String(inner.value) : '';
  const change = (next: string): void => set(field.path, changeLocator(field, { value: next }), true);
  const onChange = useTyping(inner, text, change, (_, begun) =>
    beginExpression(inner, begun, {
      path: field.path,
      value: changeLocator(field, { value: begun.expression }),
    }),
  );
  return <LineInput field={field} text={text} onChange={onChange} />;
};

/** The id, from whatever the mode offers. */
const Value = ({ field, control }: LocatorProps) => {
  const { reference, isObject, mode, modes, inner } = control;
  if (inner.control.kind === 'expression') return <ExpressionField field={inner} text={inner.control.text} />;
  const list = modes.find(({ name }) => name === mode)?.list;
  const isReference = reference !== undefined && reference !== 'credential';
  if (isReference && (!isObject || mode === 'list')) return <Resources field={field} control={control} />;
  return list === undefined || !isObject ? (
    <IdInput field={field} control={control} />
  ) : (
    <Listed field={field} control={control} list={list} />
  );
};

/** The id of a resource: chosen from a list, typed, or an expression. */
export const LocatorControl = ({ field, control }: LocatorProps) => {
  const { set } = useEdits();
  const { reference, isObject, mode, modes: own } = control;
  const hasList = reference !== undefined && reference !== 'credential';
  const known = own.length > 0 ? own : MODES.filter(({ name }) => name !== 'list' || hasList || mode === 'list');
  const choices = known.map(({ name, label }) => [name, label] as const);
  const isKnown = choices.some(([name]) => name === mode);
  const isChosen = isObject || own.length > 0;
  return (
    <div className="locator">
      {isChosen && (
        <Picker
          label={`How ${field.descriptor.label} is given`}
          value={mode}
          choices={isKnown ? choices : [...choices, [mode, `${mode} (unknown)`]]}
          all="Choose …"
          change={(next) => next !== undefined && set(field.path, changeLocator(field, { mode: next }))}
        />
      )}
      <div className="locvalue">
        <Value field={field} control={control} />
      </div>
    </div>
  );
};
