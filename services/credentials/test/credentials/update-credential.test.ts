import { uuidv7 } from '@weft/service-kit/ids';
import { readData } from '../support/run-with-claim';
import { startService, type TestService } from '../support/service-under-test';

describe('UpdateCredential', () => {
  let service: TestService;
  const update = (credentialId: string, change: { name?: string; type?: string; dataJson?: string }) =>
    service.as('gateway').credentials.updateCredential({ credentialId, ...change }, { principal: service.owner });

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('updates the name without changing type and data', async () => {
    const made = await service.addCredential({ type: 'httpBearerAuth', dataJson: '{"token":"first"}' });
    const { credential } = await update(made.id, { name: 'new name' });
    const changed = { name: 'new name', updatedAt: expect.any(Date), etag: expect.any(String) };
    expect(credential).toMatchObject({ ...made, ...changed });
    expect(credential?.updatedAt?.getTime()).toBeGreaterThan(made.updatedAt?.getTime() ?? Infinity);
    expect(await readData(service, made.id, 'httpBearerAuth')).toEqual({ token: 'first' });
  });

  it('replaces the data as a whole and does not return it', async () => {
    const { id } = await service.addCredential({ type: 'other', dataJson: '{"a":1,"b":2}' });
    const answer = await update(id, { dataJson: '{"b":"planted-secret"}' });
    expect(JSON.stringify(answer)).not.toContain('planted-secret');
    expect(await readData(service, id, 'other')).toEqual({ b: 'planted-secret' });
  });

  it('keeps the secrets that the new data omits, and nothing else', async () => {
    const { id } = await service.addCredential({
      type: 'smtp',
      dataJson: '{"host":"one.example","port":25,"user":"u","password":"kept","secure":true}',
    });
    await update(id, { dataJson: '{"host":"two.example","port":465}' });
    expect(await readData(service, id, 'smtp')).toEqual({ host: 'two.example', port: 465, password: 'kept' });
    await update(id, { dataJson: '{"host":"two.example","port":465,"password":""}' });
    expect(await readData(service, id, 'smtp')).toEqual({ host: 'two.example', port: 465, password: '' });
  });

  it('keeps no secret for another type', async () => {
    const { id } = await service.addCredential({ type: 'httpHeaderAuth', dataJson: '{"name":"X-A","value":"v"}' });
    await expect(update(id, { type: 'httpQueryAuth', dataJson: '{"name":"a"}' })).rejects.toMatchObject({
      fields: [{ field: 'data.value' }],
    });
    await update(id, { dataJson: '{"name":"X-B"}' });
    expect(await readData(service, id, 'httpHeaderAuth')).toEqual({ name: 'X-B', value: 'v' });
  });

  it('accepts new data for an unreadable credential, with every required secret', async () => {
    const { id } = await service.addCredential({ type: 'httpHeaderAuth', dataJson: '{"name":"X-A","value":"v"}' });
    await service.database.connection
      .collection<{ _id: string }>('credentials')
      .updateOne({ _id: id }, { $set: { 'sealed.kid': 'lost' } });
    await expect(update(id, { dataJson: '{"name":"X-B"}' })).rejects.toMatchObject({
      fields: [{ field: 'data.value' }],
    });
    await update(id, { dataJson: '{"name":"X-B","value":"new"}' });
    expect(await readData(service, id, 'httpHeaderAuth')).toEqual({ name: 'X-B', value: 'new' });
  });

  it('keeps a type that is no longer allowed, but no other', async () => {
    const { id } = await service.addCredential({ type: 'ownApi', dataJson: '{"a":1}' });
    const strict = await service.startReplica({ EXTRA_CREDENTIAL_TYPES: '' });
    const updateAt = (change: { type: string; name?: string }) =>
      strict.as('gateway').credentials.updateCredential({ credentialId: id, ...change }, { principal: service.owner });
    await expect(updateAt({ type: 'ownApi', name: 'kept' })).resolves.toMatchObject({ credential: { name: 'kept' } });
    await expect(updateAt({ type: 'ownApi2' })).rejects.toMatchObject({ fields: [{ field: 'type' }] });
  });

  it('reseals the data for another type for which it is valid', async () => {
    const { id } = await service.addCredential({ type: 'httpQueryAuth', dataJson: '{"name":"n","value":"v"}' });
    const { credential } = await update(id, { type: 'httpHeaderAuth' });
    expect(credential?.type).toBe('httpHeaderAuth');
    expect(await readData(service, id, 'httpHeaderAuth')).toEqual({ name: 'n', value: 'v' });
  });

  it('refuses a type for which the data is invalid, and changes nothing', async () => {
    const { id } = await service.addCredential({ type: 'httpBearerAuth', dataJson: '{"token":"t"}' });
    await expect(update(id, { type: 'httpBasicAuth', name: 'x' })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'data.user' }, { field: 'data.password' }],
    });
    await expect(update(id, { dataJson: '{"token":""}' })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'data.token' }],
    });
    expect(await readData(service, id, 'httpBearerAuth')).toEqual({ token: 't' });
  });

  it('loses none of several concurrent updates', async () => {
    const { id } = await service.addCredential({ type: 'typeA', dataJson: '{"round":0}' });
    for (let round = 1; round <= 10; round += 1) {
      await Promise.all([
        update(id, { type: `typeB${round}` }),
        update(id, { dataJson: JSON.stringify({ round }) }),
        update(id, { name: `name ${round}` }),
      ]);
      const { credential } = await service
        .as('gateway')
        .credentials.getCredential({ credentialId: id }, { principal: service.owner });
      expect(credential).toMatchObject({ type: `typeB${round}`, name: `name ${round}` });
      expect(await readData(service, id, `typeB${round}`)).toEqual({ round });
    }
  });

  it('refuses one of very many concurrent updates rather than losing it', async () => {
    const { id } = await service.addCredential({ type: 'typeA', dataJson: '{}' });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => update(id, { name: `name ${index}` })),
    );
    const stored = await service.database.connection
      .collection<{ _id: string; revision?: number }>('credentials')
      .findOne({ _id: id });
    expect(stored?.revision).toBe(1 + outcomes.filter(({ status }) => status === 'fulfilled').length);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ reason: 'CREDENTIAL_BUSY', kind: 'conflict' });
  });

  it('writes an audit record', async () => {
    const { id } = await service.addCredential({});
    await update(id, { name: 'n' });
    expect(
      await service.database.connection
        .collection('audit')
        .findOne({ action: 'credential.update', 'about.credentialId': id }),
    ).toMatchObject({ actor: service.owner.userId });
  });

  it('does not find an unknown id', async () => {
    await expect(update(uuidv7(), { name: 'n' })).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
    await expect(update('nonsense', {})).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
  });

  it('refuses an invalid name or type, and editors and viewers', async () => {
    const { id } = await service.addCredential({});
    await expect(update(id, { name: '' })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'name' }],
    });
    await expect(update(id, { type: 'a b' })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'type' }],
    });
    for (const role of ['editor', 'viewer'] as const) {
      await expect(
        service
          .as('gateway')
          .credentials.updateCredential({ credentialId: id, name: 'n' }, { principal: { ...service.owner, role } }),
      ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    }
  });
});
