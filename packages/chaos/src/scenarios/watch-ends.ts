import type { Stack } from '@weft/local-stack';

/** Watches which processes of a stack end. @returns the names of those that have */
export const watchEnds = (stack: Stack): (() => readonly string[]) => {
  const ended: string[] = [];
  for (const each of stack.processes) void each.ended.then(() => ended.push(`${each.service}-${each.index}`));
  return () => [...ended];
};
