import mongoose from 'mongoose';
import { StoreRefusal } from '../store/collection';
import type { MemoryServer } from '../store/memory-server';
import type { SendCommand } from '../store/driver';
import type { Document } from '../store/values';
import type { Random } from '../time/random';
import type { Scheduler } from '../time/scheduler';
import { currentProcess } from '../time/simulated-process';
import { fateOf, type Weather } from './faults';

/** Faults of the store. Changed by the plan of a seed while the simulation runs. */
export interface StoreWeather extends Weather {
  /** Probability that a command fails with a code before it is executed, and after it was executed. */
  refusedBefore: number;
  refusedAfter: number;
  /** Probability that a batch refuses some of its rows with a code. */
  refusedRows: number;
  codes: readonly number[];
}

const { MongoNetworkError, MongoServerError } = mongoose.mongo;

const serverError = (code: number, message = 'simulated'): Error =>
  new MongoServerError({ message, errmsg: message, code });

const networkError = (): Error => new MongoNetworkError('connection to the store closed');

/** Commands that only open or close a connection, or prepare the database: they are not disturbed. */
const UNDISTURBED: ReadonlySet<string> = new Set(['createIndexes', 'listIndexes', 'hello']);

const listOf = (value: unknown): Document[] => (Array.isArray(value) ? value : []);

/** Executes a batch without some of its rows, which are refused. */
const withRefusedRows = (
  run: (command: Document) => Document,
  command: Document,
  random: Random,
  code: number,
): Document => {
  const [name, field] = 'insert' in command ? ['insert', 'documents'] : ['update', 'updates'];
  const rows = listOf(command[field ?? '']);
  if (!(name in command) || rows.length === 0) throw serverError(code);
  const isRefused = rows.map(() => random.chance(0.5));
  const kept = rows.flatMap((row, index) => (isRefused[index] === true ? [] : [{ row, index }]));
  const reply = kept.length === 0 ? { n: 0, ok: 1 } : run({ ...command, [field ?? '']: kept.map(({ row }) => row) });
  const errors = listOf(reply['writeErrors']).map((error) => ({
    ...error,
    index: kept[Number(error['index'])]?.index ?? 0,
  }));
  const refused = isRefused.flatMap((is, index) => (is ? [{ index, code, errmsg: 'simulated' }] : []));
  return refused.length === 0 ? reply : { ...reply, writeErrors: [...errors, ...refused] };
};

/** The connection of a process to the store: delays, losses, and errors with any code. */
export const createStoreLink =
  (server: MemoryServer, scheduler: Scheduler, random: Random, weather: StoreWeather): SendCommand =>
  (command) =>
    new Promise((resolve, reject) => {
      const from = currentProcess();
      const [name = ''] = Object.keys(command);
      const calm = UNDISTURBED.has(name);
      const answer = (end: () => void): void => {
        const fate = calm ? { kind: 'arrives' as const, ms: 1 } : fateOf(weather, random);
        scheduler.deliver(
          fate.kind === 'arrives' ? fate.ms : 5,
          from,
          fate.kind === 'arrives' ? end : () => reject(networkError()),
        );
      };
      const execute = (): void => {
        const run = (one: Document): Document => server.run('executions', one);
        try {
          if (!calm && random.chance(weather.refusedBefore)) throw serverError(random.pick(weather.codes));
          const reply =
            !calm && random.chance(weather.refusedRows)
              ? withRefusedRows(run, command, random, random.pick(weather.codes))
              : run(command);
          if (!calm && random.chance(weather.refusedAfter)) throw serverError(random.pick(weather.codes));
          answer(() => resolve(reply));
        } catch (error) {
          answer(() => reject(error instanceof StoreRefusal ? serverError(error.code, error.message) : error));
        }
      };
      const fate = calm ? { kind: 'arrives' as const, ms: 1 } : fateOf(weather, random);
      if (fate.kind === 'arrives') scheduler.deliver(fate.ms, undefined, execute);
      else scheduler.deliver(5, from, () => reject(networkError()));
    });
