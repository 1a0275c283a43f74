import type { ExecutionEvent, ExecutionProgress } from '@weft/client';
import { addDelta, type LiveText } from '@weft/workflow-edit/live-text';
import { useEffect, useState } from 'react';
import { CONSOLE } from './client';
import { queryClient } from './queries';

/** A run as far as it is known. */
export interface LiveRun {
  readonly events: readonly ExecutionEvent[];
  readonly progress: ExecutionProgress | undefined;
  /** Text that a model is writing, as far as it has come; the stored answer replaces it. */
  readonly writing: LiveText | undefined;
  /** `connecting` before the first frame; `stale` while the connection is lost. */
  readonly connection: 'connecting' | 'live' | 'stale' | 'ended' | 'deleted';
}

const EMPTY: LiveRun = { events: [], progress: undefined, writing: undefined, connection: 'connecting' };
/** Frames are shown together, so that a run with thousands of nodes stays smooth. */
const FLUSH_MS = 80;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** The frames are those of the API, which documents them. */
const parse = <Frame>(text: string): Frame => JSON.parse(text);

interface Follower {
  readonly stop: () => void;
}

/** Follows the events of an execution until it ends; reconnects with growing pauses. */
const follow = (id: string, show: (run: LiveRun) => void): Follower => {
  let run = EMPTY;
  let source: EventSource | undefined;
  let timer: number | undefined;
  let flushing: number | undefined;
  let pauseMs = MIN_PAUSE_MS;
  let isStopped = false;
  const change = (next: Partial<LiveRun>): void => {
    run = { ...run, ...next };
    flushing ??= window.setTimeout(() => {
      flushing = undefined;
      if (!isStopped) show(run);
    }, FLUSH_MS);
  };
  const close = (): void => {
    source?.close();
    source = undefined;
    window.clearTimeout(timer);
  };
  const lastSequence = (): number => run.events.at(-1)?.sequence ?? 0;
  const open = (): void => {
    close();
    if (isStopped || document.hidden || run.connection === 'ended' || run.connection === 'deleted') return;
    const opened = new EventSource(`${CONSOLE}/api/v1/executions/${id}/events?after=${lastSequence()}`);
    source = opened;
    const add = ({ data }: MessageEvent<string>): void => {
      pauseMs = MIN_PAUSE_MS;
      const event = parse<ExecutionEvent>(data);
      if (event.sequence <= lastSequence()) return;
      change({ events: [...run.events, event], connection: 'live' });
      if (event.type === 'execution.ended') void queryClient.invalidateQueries({ queryKey: ['execution', id] });
    };
    for (const type of ['execution.accepted', 'node.finished', 'execution.ended']) opened.addEventListener(type, add);
    opened.addEventListener('progress', ({ data }: MessageEvent<string>) =>
      change({ progress: parse<ExecutionProgress>(data), connection: 'live' }),
    );
    // Parts of a text are not stored, so they have no number.
    opened.addEventListener('delta', ({ data }: MessageEvent<string>) =>
      change({ writing: addDelta(run.writing, parse<unknown>(data)) }),
    );
    opened.addEventListener('restarted', () => change({ events: [], writing: undefined }));
    opened.addEventListener('end', ({ data }: MessageEvent<string>) => {
      const { reason } = parse<{ readonly reason: string }>(data);
      if (reason === 'complete') change({ connection: 'ended' });
      else if (reason === 'deleted') change({ connection: 'deleted' });
      if (reason !== 'time-limit') close();
      if (reason === 'error') retry();
    });
    opened.addEventListener('error', () => {
      // The browser reconnects automatically, except after a refusal or the end of the run.
      if (opened.readyState === EventSource.CLOSED) retry();
      else change({ connection: 'stale' });
    });
  };
  const retry = (): void => {
    close();
    const hasEnded = run.events.at(-1)?.type === 'execution.ended';
    change({ connection: hasEnded ? 'ended' : 'stale' });
    if (hasEnded) return;
    // Finds out whether the session has ended, or the execution is gone.
    void queryClient.invalidateQueries({ queryKey: ['execution', id] });
    timer = window.setTimeout(open, pauseMs);
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
  };
  const onVisibility = (): void => (document.hidden ? close() : open());
  document.addEventListener('visibilitychange', onVisibility);
  open();
  return {
    stop: () => {
      isStopped = true;
      close();
      window.clearTimeout(flushing);
      document.removeEventListener('visibilitychange', onVisibility);
    },
  };
};

interface SharedRun {
  readonly listeners: Set<(run: LiveRun) => void>;
  readonly follower: Follower;
  run: LiveRun;
}

/** Runs that are followed: several parts of a page share one connection. */
const shared = new Map<string, SharedRun>();

const subscribe = (id: string, listener: (run: LiveRun) => void): (() => void) => {
  const known = shared.get(id);
  const listeners = known?.listeners ?? new Set();
  listeners.add(listener);
  if (known === undefined) {
    const show = (run: LiveRun): void => {
      const entry = shared.get(id);
      if (entry?.listeners === listeners) entry.run = run;
      for (const each of listeners) each(run);
    };
    shared.set(id, { listeners, follower: follow(id, show), run: EMPTY });
  } else listener(known.run);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    shared.get(id)?.follower.stop();
    shared.delete(id);
  };
};

/** The events of an execution, live; one connection while the page is visible. @param id empty: none is followed */
export const useLiveRun = (id: string): LiveRun => {
  const [state, setState] = useState({ id, run: EMPTY });
  useEffect(() => (id === '' ? undefined : subscribe(id, (run) => setState({ id, run }))), [id]);
  return state.id === id ? state.run : EMPTY;
};
