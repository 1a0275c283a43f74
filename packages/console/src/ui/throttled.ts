import { useEffect, useState } from 'react';

/** A value that changes at most once in an interval. */
export const useThrottled = <Value>(value: Value, ms: number): Value => {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(value), ms);
    return () => window.clearTimeout(timer);
  }, [value, ms]);
  return shown;
};
