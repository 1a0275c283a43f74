import { useState } from 'react';

/**
 * Whether a panel of options is open, and the id of the button that opens it, which gets the focus when it closes. If
 * another control takes the place of the button, it has the same id.
 */
export const usePanel = (id: string) => {
  const [isOpen, setOpen] = useState(false);
  return {
    id,
    isOpen,
    toggle: (): void => setOpen(!isOpen),
    close: (): void => {
      setOpen(false);
      requestAnimationFrame(() => document.getElementById(id)?.focus());
    },
  };
};
