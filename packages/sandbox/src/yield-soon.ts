import { takeShortTurns } from './seal/short-turns';

/**
 * Has this process take short turns at a processor, so that whatever wakes up beside it does not wait. Loads what it
 * calls the kernel with only now: a process that does not need it is spared that.
 */
export const yieldSoon = async (): Promise<void> => {
  if (process.platform !== 'linux') return;
  const { callSystem } = await import('./seal/kernel.js');
  takeShortTurns(callSystem);
};
