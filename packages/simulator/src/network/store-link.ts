import mongoose from 'mongoose';
import { StoreRefusal } from '../store/collection';
import type { MemoryServer } from '../store/memory-server';
import type { SendCommand } from '../store/driver';
import { type Document, documentsOf } from '../store/values';
import type { Random } from '../time/random';
import type { Scheduler } from '../time/scheduler';
import { currentProcess, type SimulatedProcess } from '../time/simulated-process';
import { type Fate, fateOf, type Weather } from './faults';

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

/** Executes a batch without some of its rows, which are refused. */
const withRefusedRows = (
  run: (command: Document) => Document,
  command: Document,
  random: Random,
  code: number,
): Document => {
  const [name, field] = 'insert' in command ? ['insert', 'documents'] : ['update', 'updates'];
  const rows = documentsOf(command[field ?? '']);
  if (!(name in command) || rows.length === 0) throw serverError(code);
  const isRefused = rows.map(() => random.chance(0.5));
  const kept = rows.flatMap((row, index) => (isRefused[index] === true ? [] : [{ row, index }]));
  const reply = kept.length === 0 ? { n: 0, ok: 1 } : run({ ...command, [field ?? '']: kept.map(({ row }) => row) });
  const errors = documentsOf(reply['writeErrors']).map((error) => ({
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
      const isDisturbed = !UNDISTURBED.has(name);
      const cross = (to: SimulatedProcess | undefined, arrived: () => void): void => {
        const fate: Fate = isDisturbed ? fateOf(weather, random) : { kind: 'arrives', ms: 1 };
        if (fate.kind === 'arrives') scheduler.deliver(fate.ms, to, arrived);
        else scheduler.deliver(5, from, () => reject(networkError()));
      };
      const execute = (): void => {
        const run = (one: Document): Document => server.run('executions', one);
        try {
          if (isDisturbed && random.chance(weather.refusedBefore)) throw serverError(random.pick(weather.codes));
          const reply =
            isDisturbed && random.chance(weather.refusedRows)
              ? withRefusedRows(run, command, random, random.pick(weather.codes))
              : run(command);
          if (isDisturbed && random.chance(weather.refusedAfter)) throw serverError(random.pick(weather.codes));
          cross(from, () => resolve(reply));
        } catch (error) {
          cross(from, () => reject(error instanceof StoreRefusal ? serverError(error.code, error.message) : error));
        }
      };
      cross(undefined, execute);
    });
