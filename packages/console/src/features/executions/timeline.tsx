import type { Execution } from '@weft/client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { formatCount, formatDuration } from '../../ui/values/format';
import { Icon } from '../../ui/icon';
import { useNow } from '../../ui/values/time';
import type { Graph } from '../graph/definition';
import { type NodeRunRow, RUN_WORDS, timeScale, type TimeScale } from './run-model';

const ROW_PX = 36;
/** Percent of the scale; a later label would cover the one of the end. */
const LAST_LABEL = 85;

const Bar = ({ row, scale, end, isPause }: { row: NodeRunRow; scale: TimeScale; end: number; isPause: boolean }) => {
  if (row.startedAt === undefined) return null;
  const left = scale.at(row.startedAt);
  const right = scale.at(Math.min(end, row.startedAt + (row.durationMs ?? end - row.startedAt)));
  return (
    <span
      className={`tbar ${isPause && row.state === 'success' ? 'waiting' : row.state}`}
      style={{ left: `${Math.min(left, 99.4)}%`, width: `max(4px, ${Math.max(0, right - left)}%)` }}
    />
  );
};

interface TimelineProps {
  readonly rows: readonly NodeRunRow[];
  readonly execution: Execution;
  readonly graph: Graph | undefined;
  readonly opened: { readonly node: string; readonly run: number } | undefined;
  readonly open: (node: string, run: number) => void;
}

/** All node runs with their times. Pauses in which nothing runs are cut short. */
export const Timeline = ({ rows, execution, graph, opened, open }: TimelineProps) => {
  const now = useNow();
  const end = execution.finishedAt === null ? now : Date.parse(execution.finishedAt);
  const kinds = useMemo(() => new Map(graph?.nodes.map(({ name, kind }) => [name, kind])), [graph]);
  const scale = useMemo(
    () => timeScale(rows, execution, end, ({ node, state }) => state === 'waiting' || kinds.get(node) === 'wait'),
    [rows, execution, end, kinds],
  );
  const gaps = scale.gaps.filter(({ at }) => at < LAST_LABEL).slice(0, 20);
  const list = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialRect: { width: 800, height: 260 },
  });
  const reached = new Set(rows.map(({ node }) => node));
  const unreached = (graph?.nodes ?? []).filter(({ name, kind }) => !reached.has(name) && kind !== 'stickyNote');
  return (
    <>
      <div className="tscale only-wide faint num" aria-hidden="true">
        <span>0 s</span>
        <span className="ruler">
          {gaps.map(({ at, ms }) => (
            <span key={at} className="gap" style={{ left: `${at}%` }} title={`${formatDuration(ms)} without work`}>
              pause {formatDuration(ms)}
            </span>
          ))}
        </span>
        <span>{formatDuration(scale.totalMs)}</span>
      </div>
      <div className="tlist" ref={list} tabIndex={0} role="region" aria-label="Node runs">
        <ol style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const isOpen = opened?.node === row.node && opened.run === row.run;
            return (
              <li
                key={index}
                aria-posinset={index + 1}
                aria-setsize={rows.length}
                style={{ transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  className={`trow${isOpen ? ' cur' : ''}`}
                  aria-pressed={isOpen}
                  onClick={() => open(row.node, row.run)}
                >
                  <span className="tname">
                    <span className={`st ${row.state}`}>
                      <Icon name={row.state} spin={row.state === 'running'} />
                      <span className="sr">{RUN_WORDS[row.state]}: </span>
                    </span>
                    <span className="clip">{row.node}</span>
                    {row.run > 0 && <span className="count">run {row.run + 1}</span>}
                  </span>
                  <span className="track">
                    <Bar row={row} scale={scale} end={end} isPause={kinds.get(row.node) === 'wait'} />
                  </span>
                  <span className="num soft tnum">
                    {row.items.length === 0 ? '–' : row.items.map(formatCount).join(' · ')}
                    <span className="sr"> items</span>
                  </span>
                  <span className="num soft tnum">
                    {row.durationMs !== undefined
                      ? formatDuration(row.durationMs)
                      : row.startedAt === undefined
                        ? '–'
                        : formatDuration(now - row.startedAt)}
                  </span>
                </button>
              </li>
            );
          })}
        </ol>
        {unreached.length > 0 && (
          <p className="unreachedlist faint">
            <span>Not reached:</span>
            {unreached.slice(0, 50).map(({ name }) => (
              <button key={name} type="button" className="lnk" onClick={() => open(name, 0)}>
                {name}
              </button>
            ))}
            {unreached.length > 50 && <span>and {unreached.length - 50} more</span>}
          </p>
        )}
      </div>
    </>
  );
};
