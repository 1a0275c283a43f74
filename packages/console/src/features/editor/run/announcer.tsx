import { useEffect, useState } from 'react';

/** Reads changes of a text to screen readers, at most once a second. */
export const Announcer = ({ text }: { text: string }) => {
  const [shown, setShown] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(text), 1_000);
    return () => window.clearTimeout(timer);
  }, [text]);
  return (
    <p className="sr" role="status">
      {shown}
    </p>
  );
};
