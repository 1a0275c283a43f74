import { Checkbox } from '@base-ui/react/checkbox';
import { Icon } from './icon';

/** A box that selects a row, or all of them. */
export const Check = ({
  isOn,
  label,
  change,
  isMixed = false,
}: {
  isOn: boolean;
  label: string;
  change: (isOn: boolean) => void;
  isMixed?: boolean;
}) => (
  <Checkbox.Root className="check" checked={isOn} indeterminate={isMixed} onCheckedChange={change} aria-label={label}>
    <Checkbox.Indicator className="checkmark">
      <Icon name={isMixed ? 'minus' : 'check'} size={12} />
    </Checkbox.Indicator>
  </Checkbox.Root>
);
