import type { Execution } from '@weft/client';
import { Icon, type IconName } from '../icon';

export type RunState = Execution['state'];

/** The class, icon and word of a state: never colour alone. */
const SHOWN: Readonly<Record<RunState, { readonly tone: string; readonly icon: IconName; readonly word: string }>> = {
  queued: { tone: 'neutral', icon: 'neutral', word: 'Queued' },
  running: { tone: 'running', icon: 'running', word: 'Running' },
  waiting: { tone: 'waiting', icon: 'waiting', word: 'Waiting' },
  success: { tone: 'success', icon: 'success', word: 'Succeeded' },
  error: { tone: 'error', icon: 'error', word: 'Failed' },
  crashed: { tone: 'error', icon: 'error', word: 'Crashed' },
  cancelled: { tone: 'neutral', icon: 'ban', word: 'Cancelled' },
};

export const toneOf = (state: RunState): string => SHOWN[state].tone;
export const wordOf = (state: RunState): string => SHOWN[state].word;

/** True if the state never changes again. */
export const isTerminal = (state: RunState): boolean =>
  state === 'success' || state === 'error' || state === 'crashed' || state === 'cancelled';

/** Duration in milliseconds; undefined until it ends. */
export const durationOf = ({
  startedAt,
  finishedAt,
}: Pick<Execution, 'startedAt' | 'finishedAt'>): number | undefined =>
  startedAt === null || finishedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt);

export const StateLabel = ({ state, pill = false }: { state: RunState; pill?: boolean }) => {
  const { tone, icon, word } = SHOWN[state];
  return (
    <span className={`st ${tone}${pill ? ' pill' : ''}`}>
      <Icon name={icon} spin={state === 'running'} />
      {word}
    </span>
  );
};
