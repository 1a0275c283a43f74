import type { Connection } from 'mongoose';
import { loadTestModule } from '../world/modules';
import { openConnection } from './driver';
import { createMemoryServer } from './memory-server';

interface StoreSuite {
  readonly keepsInvariants: (connection: Connection, numRuns: number) => Promise<ReadonlySet<string>>;
  readonly agreesWithInterpretation: (connection: Connection) => Promise<void>;
}

/** The tests of the real store, which `services/executions` runs against a server. */
const suite = loadTestModule<StoreSuite>('services/executions', 'model/store-suite');

describe('the store in memory', () => {
  const open = (): Connection => {
    const server = createMemoryServer(Date.now);
    return openConnection(async (command) => server.run('executions', command));
  };

  it('keeps the invariants of the state table through any history', async () => {
    expect((await suite.keepsInvariants(open(), 2)).size).toBeGreaterThan(15);
  });

  it('has the same result for every write as its interpretation, or refuses it for the same reason', async () => {
    await suite.agreesWithInterpretation(open());
  });
});
