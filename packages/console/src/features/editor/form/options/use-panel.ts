import { useRef, useState } from 'react';

/** Whether a panel of options is open, and the button that opens it, which gets the focus when it closes. */
export const usePanel = () => {
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  return {
    isOpen,
    trigger,
    toggle: (): void => setOpen(!isOpen),
    close: (): void => {
      setOpen(false);
      trigger.current?.focus();
    },
  };
};
