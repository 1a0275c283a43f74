import { Unavailable } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { connectDatabase, type Database, migrate } from '@weft/service-kit/mongo';
import { testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import {
  createFireSchedules,
  type ScheduledStart,
  type StartScheduled,
} from '../../src/domain/schedule/fire-schedules';
import type { DueWorkflow, ScheduleStore } from '../../src/domain/ports';
import { SCHEMA } from '../../src/store/indexes';
import { createScheduleStore } from '../../src/store/schedules/schedule-store';
import { workflowModel, type WorkflowDocument } from '../../src/store/workflows/workflow-schema';

const COUNT = 10_000;
const SOME = 2_000;
const PAGE = 500;
const MIDNIGHT = new Date('2026-03-10T00:00:00Z');

const workflow = (): WorkflowDocument => ({
  _id: uuidv7(),
  name: 'w',
  ownerId: 'u',
  active: true,
  versionId: 'v',
  definitionBytes: 1,
  createdAt: MIDNIGHT,
  updatedAt: MIDNIGHT,
  isDeleted: false,
  activation: {
    id: uuidv7(),
    versionId: 'v',
    routes: [],
    checkAt: MIDNIGHT,
    schedules: [
      {
        node: 'Clock',
        index: 0,
        rule: { kind: 'everyDays', every: 1, hour: 0, minute: 0 },
        item: 'clock',
        missed: 'coalesce',
        overlap: 'allow',
        nextAt: MIDNIGHT,
      },
    ],
  },
});

describe(`${COUNT} schedules that are due at midnight`, () => {
  let database: Database;
  beforeAll(async () => {
    database = await connectDatabase(testMongodbUri(), uniqueName('many_schedules'));
    await migrate(database.connection, SCHEMA);
  });
  const insert = async (count: number): Promise<void> => {
    await workflowModel(database.connection).deleteMany({}).exec();
    for (let from = 0; from < count; from += 2_000)
      await workflowModel(database.connection).insertMany(Array.from({ length: 2_000 }, workflow), {
        lean: true,
        ordered: false,
      });
  };
  afterAll(async () => {
    await database.connection.dropDatabase();
    await database.close();
  });

  const counted = (): { readonly store: ScheduleStore; readonly pages: number[]; readonly moved: () => number } => {
    const store = createScheduleStore(database.connection);
    const pages: number[] = [];
    let moved = 0;
    return {
      pages,
      moved: () => moved,
      store: {
        findDue: async (...params) => {
          const found = await store.findDue(...params);
          pages.push(found.length);
          return found;
        },
        moveOn: (moves) => {
          moved += moves.length;
          return store.moveOn(moves);
        },
      },
    };
  };
  const fireAll = async (
    store: ScheduleStore,
    start: StartScheduled,
    isMine: (id: string) => boolean = () => true,
  ): Promise<void> => {
    const takeMine = (due: readonly DueWorkflow[]): DueWorkflow[] => due.filter(({ workflowId }) => isMine(workflowId));
    const fire = createFireSchedules({
      schedules: store,
      start,
      takeMine,
      defaultTimezone: 'UTC',
      onTrouble: () => undefined,
      random: () => 0.5,
    });
    const now = new Date(MIDNIGHT.getTime() + 200);
    while ((await fire(now, 1_000)).hasMore);
  };

  it('are read once, page by page in the order of the index, and started once each', async () => {
    await insert(COUNT);
    const { store, pages, moved } = counted();
    const started: ScheduledStart[] = [];
    await fireAll(store, (starts) => {
      started.push(...starts);
      return Promise.resolve(starts.map(() => ({})));
    });
    expect(pages.reduce((sum, length) => sum + length, 0)).toBe(COUNT);
    expect(pages.length).toBeLessThanOrEqual(COUNT / PAGE + 1);
    expect(new Set(started.map(({ workflowId }) => workflowId)).size).toBe(COUNT);
    expect([started.length, moved()]).toEqual([COUNT, COUNT]);
    await fireAll(store, () => Promise.reject(new Error('nothing is due any more')));
  });

  it('are divided among replicas: each starts its share, and none is left out', async () => {
    await insert(SOME);
    const starts = [0, 0];
    await Promise.all(
      [0, 1].map((index) =>
        fireAll(
          counted().store,
          (batch) => {
            starts[index] = (starts[index] ?? 0) + batch.length;
            return Promise.resolve(batch.map(() => ({})));
          },
          (id) => Number.parseInt(id.slice(-1), 16) % 2 === index,
        ),
      ),
    );
    expect((starts[0] ?? 0) + (starts[1] ?? 0)).toBe(SOME);
    expect(Math.min(...starts)).toBeGreaterThan(SOME / 3);
  });

  it('are attempted once, but not again at the next tick, while the queue is full', async () => {
    await insert(SOME);
    const { store } = counted();
    let asked = 0;
    const full: StartScheduled = (starts) => {
      asked += starts.length;
      return Promise.resolve(starts.map(() => ({ error: new Unavailable('The queue is full.') })));
    };
    await fireAll(store, full);
    await fireAll(store, full);
    expect(asked).toBe(SOME);
  });
});
