import type { FormField } from '@weft/workflow-edit/form';
import { Icon } from '../../../../ui/icon';
import { useStore } from '../../../../ui/store';
import { useEdits } from '../form-context';
import { LineInput, useTyping } from '../simple-controls';
import { knownLabels, labelIn } from './known-labels';
import { OptionPanel } from './option-panel';
import { useOptionsSource } from './options-source';
import { usePanel } from './use-panel';

/** A value that the user types, or chooses from the options of a service. */
export const ListedControl = ({ field, list }: { field: FormField; list: string }) => {
  const { set, idOf } = useEdits();
  const panel = usePanel(`${idOf(field)}-choose`);
  const source = useOptionsSource(field, list);
  const { value = '', descriptor } = field;
  const text = typeof value === 'object' ? '' : String(value);
  const label = labelIn(useStore(knownLabels), list, value);
  const onChange = useTyping(field, text, (next) => set(field.path, next, true));
  return (
    <>
      <div className="listed">
        <LineInput field={field} text={text} onChange={onChange} />
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
          id={`${idOf(field)}-options`}
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
