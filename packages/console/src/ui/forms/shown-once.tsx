import { type ReactNode, useEffect, useId, useRef } from 'react';
import { copyText } from '../values/copy';
import { Icon } from '../icon';

/** A value that the server shows once, with a button that copies it. */
export const ShownOnce = ({
  title,
  label,
  value,
  done,
  children,
}: {
  title: string;
  /** Names the value. */
  label: string;
  value: string;
  done: () => void;
  children?: ReactNode;
}) => {
  const id = useId();
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section className="once" aria-labelledby={id} tabIndex={-1} ref={box}>
      <h2 id={id}>{title}</h2>
      {children}
      <div className="onceline">
        <span className="field codefield grow">
          <input aria-label={label} readOnly value={value} onFocus={({ target }) => target.select()} />
        </span>
        <button type="button" className="btn primary" onClick={() => void copyText(value, label)}>
          <Icon name="copy" />
          Copy
        </button>
        <button type="button" className="btn" onClick={done}>
          Done
        </button>
      </div>
    </section>
  );
};
