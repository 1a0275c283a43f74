import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grantRun, readData } from '../support/run-with-claim';
import { startService, type TestService } from '../support/service-under-test';

const REFERENCE = '{"token":{"fromFile":"token"}}';

describe('credentials with values in mounted files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-credential-files-'));
  const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  let service: TestService;
  const fieldsOf = (type: string, data: unknown) =>
    service.addCredential({ type, dataJson: JSON.stringify(data) }).then(
      () => [],
      (error: { fields: { field: string; message: string }[] }) => error.fields,
    );

  beforeAll(async () => {
    put('token', 'canary-one\n');
    put('lines', 'one\ntwo');
    put('custom', '{"headers":{"x-key":"canary-json"}}');
    service = await startService({ CREDENTIAL_FILES_DIR: folder });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => put('token', 'canary-one\n'));

  it('return the current contents of the files when they are used', async () => {
    const { id } = await service.addCredential({ dataJson: '{"token":{"fromFile":"token"},"other":1}' });
    expect(await readData(service, id, 'httpBearerAuth')).toEqual({ token: 'canary-one', other: 1 });
    put('token', 'canary-two');
    expect(await readData(service, id, 'httpBearerAuth')).toEqual({ token: 'canary-two', other: 1 });
  });

  it('keep the reference rather than the value, even when they are changed', async () => {
    const { id } = await service.addCredential({ dataJson: REFERENCE });
    const update = { credentialId: id, dataJson: '{"allowedDomains":"a.example"}' };
    await service.as('gateway').credentials.updateCredential(update, { principal: service.owner });
    put('token', 'canary-later');
    expect(await readData(service, id, 'httpBearerAuth')).toMatchObject({ token: 'canary-later' });
  });

  it('may be objects if the field is one', async () => {
    const { id } = await service.addCredential({
      type: 'httpCustomAuth',
      dataJson: '{"json":{"fromFile":"custom"}}',
    });
    expect(await readData(service, id, 'httpCustomAuth')).toEqual({ json: '{"headers":{"x-key":"canary-json"}}' });
  });

  it.each([
    ['a field that is not secret', 'httpHeaderAuth', { name: { fromFile: 'token' }, value: 'v' }, 'data.name'],
    ['a type that is not declared', 'someType', { token: { fromFile: 'token' } }, 'data.token'],
    ['a field that the type does not have', 'httpBearerAuth', { token: 't', more: { fromFile: 'token' } }, 'data.more'],
    ['a file that is missing', 'httpBearerAuth', { token: { fromFile: 'none' } }, 'data.token'],
    ['a way out of the folder', 'httpBearerAuth', { token: { fromFile: '../../etc/passwd' } }, 'data.token'],
    ['no name', 'httpBearerAuth', { token: { fromFile: 5 } }, 'data.token'],
    ['a name next to other members', 'httpBearerAuth', { token: { fromFile: 'token', or: 1 } }, 'data.token'],
    ['a value that the field cannot have', 'httpHeaderAuth', { name: 'x', value: { fromFile: 'lines' } }, 'data.value'],
  ])('are refused with %s, and no error shows what a file holds', async (_, type, data, field) => {
    const errors = await fieldsOf(type, data);
    expect(errors).toMatchObject([{ field }]);
    expect(JSON.stringify(errors)).not.toMatch(/canary|two|root:/);
  });

  it('fail with the names of their fields when a file becomes unusable, and work again with the file', async () => {
    const { id } = await service.addCredential({ dataJson: REFERENCE });
    rmSync(join(folder, 'token'));
    await expect(readData(service, id, 'httpBearerAuth')).rejects.toMatchObject({
      reason: 'CREDENTIAL_FILE_UNUSABLE',
      kind: 'precondition',
      details: { credentialId: id, fields: 'token' },
    });
    expect(service.logs.join('\n')).toContain('a file that a credential names cannot be used');
    put('token', 'canary-again');
    expect(await readData(service, id, 'httpBearerAuth')).toEqual({ token: 'canary-again' });
  });

  it('protect webhooks, and refuse their callers while a file is missing', async () => {
    const { id } = await service.addCredential({
      type: 'httpHeaderAuth',
      dataJson: '{"name":"x-key","value":{"fromFile":"token"}}',
    });
    const call = (value: string) =>
      service.as('gateway').credentials.verifyWebhookAuth({
        authentication: 'headerAuth',
        credentialId: id,
        ownerId: service.owner.userId,
        headers: [{ name: 'x-key', value }],
      });
    await expect(call('canary-one')).resolves.toMatchObject({ granted: true });
    await expect(call('wrong')).resolves.toMatchObject({ granted: false });
    rmSync(join(folder, 'token'));
    await expect(call('canary-one')).resolves.toMatchObject({ granted: false, refusalStatus: 403 });
  });

  it('are unusable for a replica without a folder', async () => {
    const { id } = await service.addCredential({ dataJson: REFERENCE });
    const other = await service.startReplica({ CREDENTIAL_FILES_DIR: '' });
    await expect(
      other.as('runner').credentials.useCredential({ ...grantRun(service, id), type: 'httpBearerAuth' }),
    ).rejects.toMatchObject({ reason: 'CREDENTIAL_FILE_UNUSABLE' });
  });

  it('appear in no response, log line or document', async () => {
    const documents = await Promise.all(
      ['credentials', 'audit'].map((name) => service.database.connection.collection(name).find({}).toArray()),
    );
    expect(`${JSON.stringify(documents)}${service.logs.join('\n')}`).not.toContain('canary');
  });
});
