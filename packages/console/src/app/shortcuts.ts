import { useEffect, useRef } from 'react';
import { createStore } from '../ui/store';
import { router } from './router';

/** True while the search over everything is open. */
export const isSearchOpen = createStore(false);

const OFF = 'weft-single-keys';

/** True unless the person has turned off shortcuts of a single key (WCAG 2.1.4). */
export const singleKeys = createStore(localStorage.getItem(OFF) !== 'off');

/** Turns shortcuts of a single key on or off, for this browser. */
export const setSingleKeys = (isOn: boolean): void => {
  localStorage.setItem(OFF, isOn ? 'on' : 'off');
  singleKeys.set(isOn);
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.shadowRoot !== null || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

const SEQUENCE_MS = 1_000;

/** Keys of the whole console. @param showHelp shows them */
export const useShortcuts = (showHelp: () => void): void => {
  const help = useRef(showHelp);
  useEffect(() => {
    help.current = showHelp;
  });
  useEffect(() => {
    let goUntil = 0;
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        isSearchOpen.set(!isSearchOpen.get());
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !singleKeys.get()) return;
      if (document.querySelector('.dialog') !== null) return;
      const isGo = event.timeStamp < goUntil;
      goUntil = 0;
      if (isGo && event.key === 'w') void router.navigate({ to: '/workflows' });
      else if (isGo && event.key === 'e') void router.navigate({ to: '/executions' });
      else if (isGo && event.key === 'o') void router.navigate({ to: '/' });
      else if (event.key === 'g') goUntil = event.timeStamp + SEQUENCE_MS;
      else if (event.key === '?') help.current();
      else if (event.key === '/') {
        const field = document.querySelector<HTMLInputElement>('input[type="search"]');
        if (field === null) return;
        event.preventDefault();
        field.focus();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
};
