import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 48rem)');

const subscribe = (listener: () => void): (() => void) => {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
};

/** True in a window of a phone, where the style sheets show `only-narrow`. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
