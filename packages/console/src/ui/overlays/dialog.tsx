import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { Icon } from '../icon';
import { Failure } from '../states';

/** A dialog on top of the page. */
export const Modal = ({
  title,
  children,
  close,
  isClosable = true,
  isBare = false,
  className = '',
  initialFocus,
  finalFocus,
}: {
  title: string;
  children: ReactNode;
  close: () => void;
  /** Has the focus first; absent: the first field, or the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /**
   * Finds the element that has the focus afterwards; null, or absent: the one that had it before; false: the focus is
   * left where it is.
   */
  finalFocus?: () => HTMLElement | false | null;
  isClosable?: boolean;
  /** True: its content begins with a field, which gets the focus, so the title is only read out. */
  isBare?: boolean;
  className?: string;
}) => {
  const popup = useRef<HTMLDivElement>(null);
  const firstField = (): HTMLElement | true =>
    popup.current?.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea') ?? true;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && isClosable && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup
          ref={popup}
          className={`dialog ${className}`}
          initialFocus={initialFocus ?? firstField}
          finalFocus={finalFocus}
        >
          <div className={isBare ? 'sr' : 'dhead'}>
            <Dialog.Title className="grow">{title}</Dialog.Title>
            {isClosable && !isBare && (
              <Dialog.Close className="btn quiet icon" aria-label="Close">
                <Icon name="close" />
              </Dialog.Close>
            )}
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

/** Asks before an action, carries it out and shows why it failed. */
export const Confirm = ({
  title,
  children,
  action,
  isDanger = false,
  act,
  close,
}: {
  title: string;
  children: ReactNode;
  /** Text of the button. */
  action: string;
  isDanger?: boolean;
  act: () => Promise<void>;
  close: () => void;
}) => {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await act();
      close();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal title={title} close={close}>
      <div className="dbody">{children}</div>
      {error !== undefined && <Failure error={error} />}
      <div className="dfoot">
        <button type="button" className="btn" onClick={close}>
          Close
        </button>
        <button
          type="button"
          className={`btn ${isDanger ? 'danger' : 'primary'}`}
          aria-disabled={isBusy}
          onClick={() => void run()}
        >
          {action}
        </button>
      </div>
    </Modal>
  );
};
