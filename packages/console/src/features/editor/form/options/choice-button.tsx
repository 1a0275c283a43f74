import type { FormField } from '@weft/workflow-edit/form';
import type { ReactNode } from 'react';
import { Icon } from '../../../../ui/icon';
import type { usePanel } from './use-panel';

type Panel = ReturnType<typeof usePanel>;

/** Shows what is chosen, and opens the options. */
export const ChoiceButton = ({
  field,
  text,
  panel,
}: {
  field: FormField;
  /** Empty: nothing is chosen. */
  text: string;
  panel: Panel;
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

/** Opens and closes options of which several can be chosen. */
export const PanelButton = ({ panel, children }: { panel: Panel; children: ReactNode }) => (
  <button id={panel.id} type="button" className="btn sm add" aria-expanded={panel.isOpen} onClick={panel.toggle}>
    <Icon name={panel.isOpen ? 'up' : 'plus'} size={12} />
    {children}
  </button>
);
