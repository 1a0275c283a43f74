import { Toast } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { Icon } from '../icon';
import type { Message } from './toast';

const manager = Toast.createToastManager();

/** Messages from before the area is there; undefined once it is. The manager would drop them. */
let early: Message[] | undefined = [];

/** Adds a message. */
export const addToast = (message: Message): void => {
  if (early === undefined) show(message);
  else early.push(message);
};

const show = ({ title, tone, description }: Message): void => {
  manager.add({
    title,
    ...(description === undefined ? {} : { description }),
    type: tone,
    timeout: tone === 'error' ? 12_000 : 4_000,
    // The library hides urgent messages from screen readers while they can be focused.
    priority: 'low',
  });
};

const Toasts = () =>
  Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={`toast ${toast.type ?? 'success'}`}>
      <Icon name={toast.type === 'error' ? 'error' : 'success'} />
      <div className="grow">
        <Toast.Title render={<p />} />
        <Toast.Description className="soft" />
      </div>
      <Toast.Close className="btn quiet icon tiny" aria-label="Close">
        <Icon name="close" size={12} />
      </Toast.Close>
    </Toast.Root>
  ));

/** Where messages appear. */
export const ToastArea = () => {
  useEffect(() => {
    const waiting = early ?? [];
    early = undefined;
    waiting.forEach(show);
  }, []);
  return <Area />;
};

const Area = () => (
  <Toast.Provider toastManager={manager} limit={3}>
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <Toasts />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);
