import { lazy, Suspense } from 'react';
import { createStore, useStore } from '../store';

/** A short message. */
export interface Message {
  readonly title: string;
  readonly tone: 'success' | 'error';
  readonly description?: string;
}

const isUsed = createStore(false);

/** Most pages never show a message, so the code for it is loaded with the first one. */
const load = () => import('./toast-area');
const ToastArea = lazy(() => load().then((module) => ({ default: module.ToastArea })));

/** Shows a short message at the edge of the page; errors stay longer. */
export const notify = (title: string, tone: Message['tone'] = 'success', description?: string): void => {
  isUsed.set(true);
  void load().then(({ addToast }) => addToast({ title, tone, ...(description === undefined ? {} : { description }) }));
};

/** Where messages appear. */
export const Toasts = () => useStore(isUsed) && <Suspense>{<ToastArea />}</Suspense>;
