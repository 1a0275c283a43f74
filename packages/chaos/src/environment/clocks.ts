import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from '../plan/fault';

/** The wall clocks of the processes of a stack; see preload/step-clock.ts. */
export interface Clocks {
  /** The file that a process reads its step from. */
  readonly fileOf: (target: Target) => string;
  /** Sets the clock of a process and its children ahead of the real one, within 100 ms. 0: right again. */
  readonly step: (target: Target, aheadMs: number) => void;
  readonly close: () => void;
}

/** Creates a folder for the steps. */
export const createClocks = (): Clocks => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-clocks-'));
  const fileOf = ({ service, index }: Target): string => join(folder, `${service}-${index}`);
  return {
    fileOf,
    step: (target, aheadMs) => writeFileSync(fileOf(target), String(aheadMs)),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
};
