import { Menu } from '@base-ui/react/menu';
import { Icon } from '../icon';
import type { MenuButtonProps } from './menu';

/** The entries of an open menu. */
const Entries = ({ entries }: Pick<MenuButtonProps, 'entries'>) =>
  (typeof entries === 'function' ? entries() : entries).map(
    ({ label: text, id, icon, isDanger = false, isDisabled = false, hint, act }) => (
      <Menu.Item key={id ?? text} className={isDanger ? 'danger' : ''} disabled={isDisabled} onClick={act}>
        {icon !== undefined && <Icon name={icon} />}
        {hint === undefined ? (
          text
        ) : (
          <span>
            {text}
            <small className="hint">{hint}</small>
          </span>
        )}
      </Menu.Item>
    ),
  );

/** A button with its menu, which is open at first: it was loaded because the button was used. */
export const OpenMenu = ({ label, children, className = 'btn quiet icon', entries }: MenuButtonProps) => (
  <Menu.Root modal={false} defaultOpen>
    <Menu.Trigger className={className} aria-label={label}>
      {children}
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner className="floating" sideOffset={4} align="end">
        <Menu.Popup className="menu">
          <Entries entries={entries} />
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
);
