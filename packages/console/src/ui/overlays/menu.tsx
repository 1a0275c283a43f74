import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { IconName } from '../icon';

/** An entry of a menu. */
export interface MenuEntry {
  readonly label: string;
  /** Tells entries with the same label apart. */
  readonly id?: string;
  readonly icon?: IconName;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** A second line, such as why the entry is disabled. */
  readonly hint?: string;
  readonly act: () => void;
}

export interface MenuButtonProps {
  /** Accessible name of a button that shows only an icon. */
  readonly label?: string;
  readonly children: ReactNode;
  readonly className?: string;
  /** A function is called while the menu is open, for entries that cost much to compute. */
  readonly entries: readonly MenuEntry[] | (() => readonly MenuEntry[]);
}

/** Menus are a fifth of the scripts, and most pages are left without opening one. */
const load = () => import('./open-menu');
const OpenMenu = lazy(() => load().then((module) => ({ default: module.OpenMenu })));

/** A button that opens a menu. */
export const MenuButton = (props: MenuButtonProps) => {
  const [isUsed, setUsed] = useState(false);
  const { label, children, className = 'btn quiet icon' } = props;
  const button = (
    <button
      type="button"
      className={className}
      aria-label={label}
      aria-haspopup="menu"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setUsed(true)}
    >
      {children}
    </button>
  );
  return isUsed ? <Suspense fallback={button}>{<OpenMenu {...props} />}</Suspense> : button;
};
