import { useEffect, useRef } from 'react';

/** Moves the focus to the first field of an entry that the user added, as soon as it is there. */
export const useFocusAdded = <Part extends HTMLElement>() => {
  const inside = useRef<Part>(null);
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const added = inside.current?.querySelector(wanted.current);
    if (added === null || added === undefined) return;
    wanted.current = undefined;
    // Before a field is the button that makes it an expression.
    const field = added.querySelector<HTMLElement>('input, select, textarea') ?? added.querySelector('button');
    field?.focus();
  });
  return {
    inside,
    /** @param selector of the entry, which is added next */
    expect: (selector: string): void => {
      wanted.current = selector;
    },
  };
};
