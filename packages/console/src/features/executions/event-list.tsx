import type { ExecutionEvent } from '@weft/client';
import { formatBytes, formatDuration, plural } from '../../ui/values/format';
import { wordOf } from '../../ui/runs/run-state';
import { At } from '../../ui/values/time';
import { causeOf } from './execution-facts';

/** More events are in the API. */
const MAX_SHOWN = 1_000;

const textOf = (event: ExecutionEvent): string => {
  if (event.type === 'execution.accepted') return `Accepted, started by ${causeOf(event.execution?.mode ?? 'manual')}`;
  if (event.type === 'execution.ended') return wordOf(event.execution?.state ?? 'success');
  const items = (event.items ?? []).reduce((sum, count) => sum + count, 0);
  const facts = [
    event.status === 'error' ? `failed: ${event.error?.message ?? ''}` : plural(items, 'item'),
    ...(event.durationMs === undefined ? [] : [formatDuration(event.durationMs)]),
    ...(event.bytes === undefined ? [] : [formatBytes(event.bytes)]),
  ];
  return `${event.node ?? ''}: ${facts.join(', ')}`;
};

/** The stored events of a run with their numbers, as the API shows them. */
export const EventList = ({ events }: { events: readonly ExecutionEvent[] }) => (
  <div className="tlist" tabIndex={0} role="region" aria-label="Events">
    <ol className="events">
      {events.slice(-MAX_SHOWN).map((event) => (
        <li key={event.sequence}>
          <span className="count num">{event.sequence}</span>
          <span className="faint">{event.time !== null && <At at={event.time} />}</span>
          <span className={`clip${event.status === 'error' ? ' errtext' : ''}`} title={textOf(event)}>
            {textOf(event)}
          </span>
        </li>
      ))}
    </ol>
  </div>
);
