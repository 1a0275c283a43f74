import { createHash } from 'node:crypto';

/** The events of a simulation, line by line. */
export interface Trace {
  readonly note: (text: string) => void;
  readonly lines: () => readonly string[];
  /** Equal for equal simulations. */
  readonly hash: () => string;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** @param keeps false: only the hash is computed */
export const createTrace = (now: () => number, keeps: boolean): Trace => {
  const names = new Map<string, string>();
  const lines: string[] = [];
  const hash = createHash('sha256');
  /** Gives an id a short name, the same in every replay. */
  const nameOf = (id: string): string => {
    const known = names.get(id) ?? `x${names.size + 1}`;
    names.set(id, known);
    return known;
  };
  return {
    note: (text) => {
      const line = `${(now() / 1_000).toFixed(4)} ${text.replace(UUID, nameOf)}`;
      hash.update(line);
      if (keeps) lines.push(line);
    },
    lines: () => lines,
    hash: () => hash.copy().digest('hex').slice(0, 16),
  };
};
