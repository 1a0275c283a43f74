import { Menu } from '@base-ui/react/menu';
import { useMemo } from 'react';
import { Icon } from '../icon';
import type { MenuEntry } from './menu';

/** A menu at a place of the window, such as the one of the right mouse button. */
export const ContextMenu = ({
  x,
  y,
  label,
  entries,
  close,
}: {
  x: number;
  y: number;
  label: string;
  entries: readonly MenuEntry[];
  close: () => void;
}) => {
  const anchor = useMemo(() => ({ getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }), [x, y]);
  return (
    <Menu.Root open modal={false} onOpenChange={(open) => !open && close()}>
      <Menu.Portal>
        <Menu.Positioner className="floating" anchor={anchor} align="start">
          <Menu.Popup className="menu" aria-label={label}>
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
};
