import { defineLazyGlobal } from '../define';
import { tellConsole } from '../host';

const { stringify } = JSON;
const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'];
const SILENT = [
  'group',
  'groupCollapsed',
  'groupEnd',
  'time',
  'timeEnd',
  'timeLog',
  'count',
  'countReset',
  'assert',
  'clear',
];

/** Installs `console`, whose output is stored with the node's run. */
export function installConsole(): void {
  const write = (...values: unknown[]): void => tellConsole(values.map(show).join(' '));
  const silent = (): void => undefined;
  defineLazyGlobal('console', () =>
    Object.fromEntries([...METHODS.map((name) => [name, write]), ...SILENT.map((name) => [name, silent])]),
  );
}

/** Formats a value for people. Never throws. */
export function show(value: unknown): string {
  try {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (typeof value === 'object' && value !== null) return stringify(value, readable) ?? String(value);
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function readable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `[Function: ${value.name}]`;
  if (value instanceof Map) return { Map: [...value] };
  if (value instanceof Set) return { Set: [...value] };
  return value instanceof Error ? `${value.name}: ${value.message}` : value;
}
