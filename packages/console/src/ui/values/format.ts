/** Formats for people, in the language and time zone of the browser. */

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });
const counts = new Intl.NumberFormat('en');

/** Such as `1,000`. */
export const formatCount = (count: number): string => counts.format(count);

/** Such as `3 files`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** Such as `12 s ago`. */
export const formatAgo = (time: Date, now: number): string => {
  const seconds = (time.getTime() - now) / 1_000;
  if (Math.abs(seconds) < 1) return 'now';
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relative
    .format(Math.round(seconds / size), unit)
    .replace(' sec. ago', ' s ago')
    .replace(' min. ago', ' min ago')
    .replace(' hr. ago', ' h ago')
    .replace('.', '');
};

/** Such as `14:02:11` for today, `3 Nov, 14:02:11` otherwise. */
export const formatTime = (time: Date, now: number): string =>
  new Date(now).toDateString() === time.toDateString() ? clock.format(time) : dayAndClock.format(time);

/** With weekday, year and time zone. */
export const formatWhole = (time: Date): string => whole.format(time);

/** Such as `225 ms`, `2.54 s`, `4 min 10 s`, `2 d 4 h`. */
export const formatDuration = (ms: number): string => {
  if (ms < 1) return '< 1 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(2)} s`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3_600)} h`;
};

/** Such as `1.2 MB`. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
};

/** Message of anything that was thrown. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The beginning and the end of an id. */
export const shortId = (id: string): string => (id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);
