import type { FormField } from '@weft/workflow-edit/form';
import { Icon } from '../../../../ui/icon';
import type { usePanel } from './use-panel';

/** Shows what is chosen, and opens the options. */
export const ChoiceButton = ({
  field,
  text,
  panel,
}: {
  field: FormField;
  /** Empty: nothing is chosen. */
  text: string;
  panel: ReturnType<typeof usePanel>;
}) => {
  const { id } = panel;
  const shown = text === '' ? 'Choose …' : text;
  return (
    <button
      type="button"
      id={id}
      className={`tin choice${field.error === undefined ? '' : ' bad'}`}
      aria-label={`${field.descriptor.label}: ${shown}`}
      aria-expanded={panel.isOpen}
      aria-describedby={field.error === undefined ? undefined : `${id}-error`}
      title={text}
      onClick={panel.toggle}
    >
      <span className={`clip grow${text === '' ? ' faint' : ''}`}>{shown}</span>
      <Icon name={panel.isOpen ? 'up' : 'down'} />
    </button>
  );
};
