import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@weft/service-kit/testing';
import { grantRun } from '../support/run-with-claim';
import { newMasterKey, startService, type Replica, type TestService } from '../support/service-under-test';

describe('a change of the master key', () => {
  let service: TestService;
  const [old, fresh] = [newMasterKey('old'), newMasterKey('fresh')];
  const use = async (replica: Replica, credentialId: string): Promise<unknown> => {
    const { dataJson } = await replica
      .as('runner')
      .credentials.useCredential({ ...grantRun(service, credentialId), type: 'typeA' });
    const data: unknown = JSON.parse(dataJson);
    return data;
  };

  beforeAll(async () => {
    service = await startService({ MASTER_KEY: old });
  });
  afterAll(() => service.stop());

  it(
    'moves every credential to the new key while the service runs, reports unreadable ones, and makes the previous ' +
      'key unnecessary',
    async () => {
      const added = await Promise.all(
        Array.from({ length: 130 }, (_, number) =>
          service.addCredential({ type: 'typeA', dataJson: JSON.stringify({ number }) }),
        ),
      );
      const ids = added.map(({ id }) => id);
      const broken = await service.addCredential({ type: 'typeA', dataJson: '{}' });
      const collection = service.database.connection.collection<{ _id: string; sealed: { wrappedKey: string } }>(
        'credentials',
      );
      await collection.updateOne({ _id: broken.id }, { $set: { 'sealed.wrappedKey': 'AAAA' } });

      const during = await service.startReplica({ MASTER_KEY: fresh, MASTER_KEY_PREVIOUS: old });
      await until(
        'all credentials are moved',
        async () => (await collection.countDocuments({ 'sealed.kid': 'fresh' })) === 130,
      );
      const report = await until('the report', () =>
        service.logs.map((line): unknown => JSON.parse(line)).find((line) => JSON.stringify(line).includes(broken.id)),
      );
      expect(report).toMatchObject({ moved: 130, unreadable: [broken.id], apiKeysLeft: 0 });
      expect(await use(during, ids[7] ?? '')).toEqual({ number: 7 });

      const after = await service.startReplica({ MASTER_KEY: fresh });
      for (const [number, id] of ids.entries()) expect(await use(after, id)).toEqual({ number });
      await expect(use(after, broken.id)).rejects.toMatchObject({ reason: 'CREDENTIAL_UNREADABLE' });
    },
  );

  it('needs no restart if the keys come from files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-master-keys-'));
    const put = (current: string, previous: string): void => {
      writeFileSync(join(folder, 'previous'), previous);
      writeFileSync(join(folder, 'current'), current);
    };
    const [first, second] = [newMasterKey('first'), newMasterKey('second')];
    put(first, '');
    const files = { MASTER_KEY_FILE: join(folder, 'current'), MASTER_KEY_PREVIOUS_FILE: join(folder, 'previous') };
    const own = await startService({ MASTER_KEY: '', ...files });
    try {
      const { id } = await own.addCredential({ type: 'typeA', dataJson: '{"number":1}' });
      const stored = own.database.connection.collection<{ _id: string; sealed: { kid: string } }>('credentials');
      const readBack = async (): Promise<unknown> => {
        const { dataJson } = await own.as('runner').credentials.useCredential({ ...grantRun(own, id), type: 'typeA' });
        const data: unknown = JSON.parse(dataJson);
        return data;
      };
      put(second, first);
      const sealedBy = async (): Promise<string | undefined> => {
        const made = await own.addCredential({ type: 'typeA', dataJson: '{}' });
        return (await stored.findOne({ _id: made.id }))?.sealed.kid;
      };
      await until('the new key seals', async () => (await sealedBy()) === 'second');
      expect(await readBack()).toEqual({ number: 1 });
      expect(
        await own.as('gateway').apiKeys.verifyApiKey({ proof: { $case: 'apiKey', value: own.ownerApiKey }, count: 1 }),
      ).toMatchObject({ role: expect.anything() });
      // An unusable file leaves the keys unchanged.
      put('second:broken', first);
      await new Promise((resolve) => setTimeout(resolve, 5_500));
      expect(await sealedBy()).toBe('second');
    } finally {
      await own.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
