import { durationOf, type RunState, toneOf } from './run-state';
import { plural } from '../values/format';

interface Run {
  readonly id: string;
  readonly state: RunState;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

const WIDTH = 7;
const HEIGHT = 20;

const heightOf = (run: Run, longest: number): number => {
  const ms = durationOf(run);
  if (ms === undefined) return 8;
  return 5 + Math.round(12 * Math.sqrt(longest === 0 ? 0 : ms / longest));
};

const summaryOf = (runs: readonly Run[]): string => {
  const failed = runs.filter(({ state }) => state === 'error' || state === 'crashed').length;
  const succeeded = runs.filter(({ state }) => state === 'success').length;
  return `${plural(runs.length, 'last run')}: ${succeeded} succeeded, ${failed} failed`;
};

/** The last runs as bars, oldest first: height is duration, and a failed one has a dot below it. */
export const RunStrip = ({ runs }: { runs: readonly Run[] }) => {
  const longest = Math.max(0, ...runs.map((run) => durationOf(run) ?? 0));
  return (
    <svg className="strip" width={WIDTH * runs.length} height={HEIGHT} role="img" aria-label={summaryOf(runs)}>
      {runs.toReversed().map((run, at) => {
        const tone = toneOf(run.state);
        const height = heightOf(run, longest);
        const isOpen = tone === 'running' || tone === 'waiting';
        if (tone === 'error')
          return (
            <g key={run.id} className="error">
              <rect
                x={at * WIDTH}
                y={HEIGHT - 6 - Math.min(13, height)}
                width={5}
                height={Math.min(13, height)}
                rx={1.5}
              />
              <circle cx={at * WIDTH + 2.5} cy={HEIGHT - 2.5} r={2.5} />
            </g>
          );
        return (
          <rect
            key={run.id}
            className={isOpen ? `${tone} open` : tone}
            x={at * WIDTH + (isOpen ? 0.75 : 0)}
            y={HEIGHT - height}
            width={isOpen ? 3.5 : 5}
            height={isOpen ? height - 0.75 : height}
            rx={1.5}
          />
        );
      })}
    </svg>
  );
};
