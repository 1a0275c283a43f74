import type { FormField } from '@weft/workflow-edit/form';
import { Icon } from '../../../ui/icon';
import { useStore } from '../../../ui/store';
import { useEdits } from './form-context';
import { useOptionsSource } from './form-node';
import { knownLabels, labelIn } from './options/known-labels';
import { OptionPanel } from './options/option-panel';
import { usePanel } from './options/use-panel';
import { useInputProps, useTyping } from './simple-controls';

/** A value that the user types, or chooses from the options of a service. */
export const ListedControl = ({ field, list }: { field: FormField; list: string }) => {
  const { set } = useEdits();
  const input = useInputProps(field);
  const panel = usePanel(`${input.id}-choose`);
  const source = useOptionsSource(field, list);
  const { value = '', descriptor } = field;
  const text = typeof value === 'object' ? '' : String(value);
  const label = labelIn(useStore(knownLabels), list, value);
  const onChange = useTyping(field, text, (next) => set(field.path, next, true));
  return (
    <>
      <div className="listed">
        <input
          {...input}
          className="tin"
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={text}
          placeholder={descriptor.placeholder}
          onChange={onChange}
        />
        <button
          id={panel.id}
          type="button"
          className="btn"
          aria-label={`Choose ${descriptor.label} from the list`}
          aria-expanded={panel.isOpen}
          onClick={panel.toggle}
        >
          Choose
          <Icon name={panel.isOpen ? 'up' : 'down'} size={12} />
        </button>
      </div>
      {label !== undefined && label !== text && <p className="faint">{label}</p>}
      {panel.isOpen && (
        <OptionPanel
          id={`${input.id}-options`}
          label={descriptor.label}
          state={source}
          isChosen={(option) => option.value === value}
          choose={(option) => {
            set(field.path, option.value);
            panel.close();
          }}
          close={panel.close}
        />
      )}
    </>
  );
};
