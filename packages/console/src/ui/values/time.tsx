import { useEffect } from 'react';
import { createStore, useStore } from '../store';
import { formatAgo, formatDuration, formatTime, formatWhole } from './format';

const now = createStore(Date.now());
let watchers = 0;
let timer: number | undefined;

/** The current time, updated once a second while a component shows it. */
export const useNow = (): number => {
  useEffect(() => {
    watchers += 1;
    if (timer === undefined) now.set(Date.now());
    timer ??= window.setInterval(() => now.set(Date.now()), 1_000);
    return () => {
      watchers -= 1;
      if (watchers > 0) return;
      window.clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return useStore(now);
};

/** A time relative to now, with the whole time as its title. */
export const Ago = ({ at }: { at: string }) => {
  const time = new Date(at);
  return (
    <time dateTime={at} title={formatWhole(time)}>
      {formatAgo(time, useNow())}
    </time>
  );
};

/** A time of day, with the date if it is not today. */
export const At = ({ at }: { at: string }) => {
  const time = new Date(at);
  return (
    <time dateTime={at} title={formatWhole(time)} className="num">
      {formatTime(time, useNow())}
    </time>
  );
};

/** Time since a start, counting. */
export const Elapsed = ({ since }: { since: string }) => <>{formatDuration(useNow() - Date.parse(since))}</>;
