import type { Json } from '@weft/node-catalogue/definitions';
import { useStore } from '../../../../ui/store';
import { useEdits } from '../form-context';
import type { ControlProps } from '../simple-controls';
import { Chips } from './chips';
import { PanelButton } from './choice-button';
import { knownLabels, labelIn } from './known-labels';
import { OptionPanel } from './option-panel';
import { useOptionsSource } from './options-source';
import { usePanel } from './use-panel';

/** Several values, typed or chosen from the options of a service. */
export const ListedValuesControl = ({ field, control, list }: ControlProps<'checks'> & { list: string }) => {
  const { set, idOf, isReadOnly } = useEdits();
  const panel = usePanel(`${idOf(field)}-choose`);
  const source = useOptionsSource(field, list);
  const known = useStore(knownLabels);
  const { label } = field.descriptor;
  const values = control.choices.filter(({ isChosen }) => isChosen).map(({ option }) => option.value);
  const without = (value: Json): Json[] => values.filter((one) => one !== value);
  const toggle = (value: Json): void => set(field.path, values.includes(value) ? without(value) : [...values, value]);
  return (
    <div className="listedvalues" role="group" aria-label={label}>
      <Chips
        label={`Chosen: ${label}`}
        chips={values.map((value) => ({
          key: JSON.stringify(value),
          label: labelIn(known, list, value) ?? String(value),
          remove: () => set(field.path, without(value)),
        }))}
      />
      {!isReadOnly && (
        <PanelButton panel={panel}>
          {panel.isOpen ? 'Close' : 'Choose'}
          <span className="sr"> {label}</span>
        </PanelButton>
      )}
      {panel.isOpen && (
        <OptionPanel
          id={`${idOf(field)}-options`}
          label={label}
          state={source}
          isChosen={({ value }) => values.includes(value)}
          choose={({ value }) => toggle(value)}
          typed={{ label: (text) => `Add “${text}”`, use: (text) => !values.includes(text) && toggle(text) }}
          close={panel.close}
        />
      )}
    </div>
  );
};
