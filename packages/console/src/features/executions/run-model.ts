import type { Execution, ExecutionEvent, NodeRunSummary } from '@weft/client';
import type { LiveRun } from '../../api/live';
import { formatDuration } from '../../ui/values/format';
import { isTerminal } from '../../ui/runs/run-state';
import type { Graph } from '../graph/definition';
import type { GraphMarks, NodeMark } from '../graph/marks';

/** One run of a node. */
export interface NodeRunRow {
  readonly node: string;
  readonly run: number;
  /** Position among all node runs; undefined while it is not stored. */
  readonly executionIndex: number | undefined;
  readonly state: 'success' | 'error' | 'running' | 'waiting';
  /** Milliseconds since the epoch; undefined: stored by an earlier release. */
  readonly startedAt: number | undefined;
  readonly durationMs: number | undefined;
  readonly items: readonly number[];
}

const timeOf = (time: string | null | undefined): number | undefined => {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? undefined : ms;
};

const finishedRow = (event: Omit<ExecutionEvent, 'sequence' | 'type' | 'time'>): NodeRunRow => ({
  node: event.node ?? '',
  run: event.run ?? 0,
  executionIndex: event.executionIndex,
  state: event.status === 'error' ? 'error' : 'success',
  startedAt: timeOf(event.startedAt),
  durationMs: event.durationMs,
  items: event.items ?? [],
});

/** A node run that its runner has reported and not stored yet: its data cannot be read. */
const unstoredRow = (run: NodeRunSummary): NodeRunRow => ({ ...finishedRow(run), executionIndex: undefined });

/** The node at which a stored run waits; its record follows when it is woken. */
const waitingRow = (node: string, rows: readonly NodeRunRow[], since: string | null | undefined): NodeRunRow => ({
  node,
  run: rows.filter((row) => row.node === node).length,
  executionIndex: undefined,
  state: 'waiting',
  startedAt: timeOf(since),
  durationMs: undefined,
  items: [],
});

/** All node runs in order, the current one last. @param waitsAt the node at which the run waits, if it does */
export const rowsOf = (
  { events, progress }: Pick<LiveRun, 'events' | 'progress'>,
  waitsAt: string | undefined,
): readonly NodeRunRow[] => {
  const rows = events.filter(({ type }) => type === 'node.finished').map(finishedRow);
  if (waitsAt !== undefined) return [...rows, waitingRow(waitsAt, rows, events.at(-1)?.time)];
  if (progress === undefined || isTerminal(progress.state)) return rows;
  const stored = new Set(rows.map(({ node, run }) => `${run} ${node}`));
  const unstored = progress.notStored.map(unstoredRow).filter(({ node, run }) => !stored.has(`${run} ${node}`));
  const { running } = progress;
  const current: readonly NodeRunRow[] =
    running === undefined
      ? []
      : [
          {
            node: running.node,
            run: running.run,
            executionIndex: undefined,
            state: running.waitsUntil === undefined ? 'running' : 'waiting',
            startedAt: timeOf(running.startedAt),
            durationMs: undefined,
            items: [],
          },
        ];
  return [...rows, ...unstored, ...current];
};

/** States of node runs in words. */
export const RUN_WORDS = { success: 'succeeded', error: 'failed', running: 'running', waiting: 'waiting' } as const;

const markOf = (rows: readonly NodeRunRow[]): NodeMark => {
  const last = rows.at(-1)?.state ?? 'success';
  const isOpen = last === 'running' || last === 'waiting';
  const state = !isOpen && rows.some((row) => row.state === 'error') ? 'error' : last;
  const word = RUN_WORDS[state];
  const ms = rows.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  const times = rows.length > 1 ? `× ${rows.length} · ` : '';
  return {
    tone: state,
    icon: state,
    text: times + (isOpen ? word : formatDuration(ms)),
    label: `${word}${rows.length > 1 ? `, ${rows.length} runs` : ''}`,
  };
};

/** Marks of nodes for a run, by their names. */
export const nodeMarksOf = (rows: readonly NodeRunRow[]): GraphMarks['nodes'] =>
  new Map([...Map.groupBy(rows, ({ node }) => node)].map(([node, runs]) => [node, markOf(runs)] as const));

/** A connection of main ports. */
interface Connection {
  readonly id: string;
  readonly from: string;
  readonly output: number;
  readonly to: string;
}

/** Numbers of items that passed, by the id of the connection. */
export const itemsPassed = (
  rows: readonly NodeRunRow[],
  connections: readonly Connection[],
): ReadonlyMap<string, number> => {
  const byNode = Map.groupBy(rows, ({ node }) => node);
  return new Map(
    connections.flatMap(({ id, from, output, to }) => {
      const passed = (byNode.get(from) ?? []).reduce((sum, run) => sum + (run.items[output] ?? 0), 0);
      return passed > 0 && byNode.has(to) ? [[id, passed] as const] : [];
    }),
  );
};

/** Marks of nodes and connections for a run. */
export const marksOf = ({ edges }: Pick<Graph, 'edges'>, rows: readonly NodeRunRow[]): GraphMarks => {
  const connections = edges
    .filter(({ isMain }) => isMain)
    .map(({ id, source, output, target }) => ({ id, from: source, output, to: target }));
  return { nodes: nodeMarksOf(rows), items: itemsPassed(rows, connections), isRun: true };
};

/** The first output or input that has items; 0 if none has. */
export const firstFilled = (counts: readonly number[]): number =>
  Math.max(
    0,
    counts.findIndex((count) => count > 0),
  );

/** Maps times to positions: pauses in which no node works are cut short. */
export interface TimeScale {
  /** Per cent of the width. */
  readonly at: (time: number) => number;
  /** Cut pauses: their position in per cent and length in milliseconds. */
  readonly gaps: readonly { readonly at: number; readonly ms: number }[];
  readonly totalMs: number;
}

/** Width of a cut pause, as a share of the time in which nodes work. */
const GAP_SHARE = 0.06;

/** @param isPause true for a node run that only waits */
export const timeScale = (
  rows: readonly NodeRunRow[],
  { startedAt }: Pick<Execution, 'startedAt'>,
  end: number,
  isPause: (row: NodeRunRow) => boolean,
): TimeScale => {
  const spans = rows
    .flatMap((row) =>
      row.startedAt === undefined || isPause(row)
        ? []
        : [{ from: row.startedAt, to: Math.min(end, row.startedAt + (row.durationMs ?? end - row.startedAt)) }],
    )
    .sort((one, other) => one.from - other.from);
  const begin = Math.min(timeOf(startedAt) ?? end, spans[0]?.from ?? end);
  const busy: { from: number; to: number }[] = [];
  for (const { from, to } of spans) {
    const last = busy.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else busy.push({ from, to });
  }
  const busyMs = Math.max(
    1,
    busy.reduce((sum, { from, to }) => sum + to - from, 0),
  );
  const gapMs = Math.max(20, busyMs * GAP_SHARE);
  const points: { time: number; place: number }[] = [{ time: begin, place: 0 }];
  const cuts: { place: number; ms: number }[] = [];
  let place = 0;
  let until = begin;
  for (const { from, to } of [...busy, { from: end, to: end }]) {
    const pause = Math.max(0, from - until);
    const shown = pause > gapMs * 2 ? gapMs : pause;
    if (shown < pause) cuts.push({ place: place + shown / 2, ms: pause });
    place += shown;
    points.push({ time: from, place });
    place += to - from;
    points.push({ time: to, place });
    until = Math.max(until, to);
  }
  const total = Math.max(1, place);
  return {
    totalMs: Math.max(0, end - begin),
    gaps: cuts.map(({ place: at, ms }) => ({ at: (at / total) * 100, ms })),
    at: (time) => {
      const next = points.findIndex((point) => point.time >= time);
      if (next <= 0) return next === 0 ? 0 : 100;
      const [before, after] = [points[next - 1], points[next]];
      if (before === undefined || after === undefined) return 100;
      const share = after.time === before.time ? 1 : (time - before.time) / (after.time - before.time);
      return ((before.place + share * (after.place - before.place)) / total) * 100;
    },
  };
};
