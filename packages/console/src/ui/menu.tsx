import { Menu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon';

/** An entry of a menu. */
export interface MenuEntry {
  readonly label: string;
  readonly icon?: IconName;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  readonly act: () => void;
}

/** A button that opens a menu. */
export const MenuButton = ({
  label,
  children,
  className = 'btn quiet icon',
  entries,
}: {
  label: string;
  children: ReactNode;
  className?: string;
  entries: readonly MenuEntry[];
}) => (
  <Menu.Root modal={false}>
    <Menu.Trigger className={className} aria-label={label}>
      {children}
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner className="floating" sideOffset={4} align="end">
        <Menu.Popup className="menu">
          {entries.map(({ label: text, icon, isDanger = false, isDisabled = false, act }) => (
            <Menu.Item key={text} className={isDanger ? 'danger' : ''} disabled={isDisabled} onClick={act}>
              {icon !== undefined && <Icon name={icon} />}
              {text}
            </Menu.Item>
          ))}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
);
