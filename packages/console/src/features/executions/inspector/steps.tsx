import type { ReactNode } from 'react';
import { Icon } from '../../../ui/icon';

interface StepsProps {
  /** Number of the current one, from 0. */
  readonly at: number;
  readonly count: number;
  readonly go: (at: number) => void;
  /** Says which one is current; stands between the buttons. */
  readonly children: ReactNode;
}

/** Buttons to the previous and the next item. */
export const ItemSteps = ({ at, count, go, children }: StepsProps) => (
  <>
    <button
      type="button"
      className="btn quiet icon sm"
      aria-label="Previous item"
      disabled={at === 0}
      onClick={() => go(at - 1)}
    >
      <Icon name="back" size={12} />
    </button>
    {children}
    <button
      type="button"
      className="btn quiet icon sm"
      aria-label="Next item"
      disabled={at + 1 >= count}
      onClick={() => go(at + 1)}
    >
      <Icon name="next" size={12} />
    </button>
  </>
);

/** Buttons with words to the previous and the next part. */
export const WordedSteps = ({ at, count, go, children, className = 'btn sm' }: StepsProps & { className?: string }) => (
  <>
    <button type="button" className={className} disabled={at === 0} onClick={() => go(at - 1)}>
      <Icon name="back" size={12} />
      Previous
    </button>
    <span className="soft num">{children}</span>
    <button type="button" className={className} disabled={at + 1 >= count} onClick={() => go(at + 1)}>
      Next
      <Icon name="next" size={12} />
    </button>
  </>
);
