import { useState } from 'react';

/** The same object for as long as its JSON stays the same, so that effects do not run again. */
export const useStable = <Value>(value: Value): Value => {
  const [kept, keep] = useState(value);
  if (kept === value || JSON.stringify(kept) === JSON.stringify(value)) return kept;
  keep(value);
  return value;
};
