import { config } from '../src/config';
import { INDEXES } from '../src/store/indexes';
import { newMasterKey, startService, type TestService } from './support/service-under-test';

describe('the start of the service', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it.each([
    ['a malformed master key', { MASTER_KEY: 'planted-key' }, 'MASTER_KEY'],
    ['a short master key', { MASTER_KEY: `k1:${Buffer.from('planted-key').toString('base64')}` }, 'MASTER_KEY'],
    ['a master key of zeros', { MASTER_KEY: `k1:${Buffer.alloc(32).toString('base64')}` }, 'MASTER_KEY'],
    ['a malformed previous master key', { MASTER_KEY_PREVIOUS: 'planted-key' }, 'MASTER_KEY_PREVIOUS'],
    ['two master keys with one id', { MASTER_KEY_PREVIOUS: newMasterKey('k1') }, 'same key id'],
    ['an owner without a password', { WEFT_OWNER_PASSWORD: '' }, 'WEFT_OWNER_PASSWORD'],
    ['an owner with a malformed key', { WEFT_OWNER_API_KEY: 'planted-key' }, 'WEFT_OWNER_API_KEY'],
    ['cheap passwords in production', { NODE_ENV: 'production' }, 'PASSWORD_COST'],
  ])('fails with %s, without revealing it', async (_, environment, named) => {
    const refusal = await service.startReplica(environment).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(refusal).toContain(named);
    expect(refusal).not.toContain('planted-key');
  });

  it('fails without a master key, and reports all missing variables at once', () => {
    expect(() => config.load({})).toThrow(
      /SERVICE_KEY[^]*SERVICE_PUBLIC_KEYS[^]*MONGODB_URI[^]*EXECUTIONS_TARGET[^]*MASTER_KEY/,
    );
  });

  it('fails with a different master key under the id of the one in use, and changes nothing', async () => {
    const rows = service.database.connection.collection('masterKeys');
    const before = await rows.find().toArray();
    expect(before).toHaveLength(1);
    const started = service.startReplica({ MASTER_KEY: newMasterKey('k1') });
    await expect(started).rejects.toThrow('The master key with the id k1 is another one than the key with which');
    expect(await rows.find().toArray()).toEqual(before);
  });

  it('fails on a port in use, and leaves nothing open', async () => {
    const port = /(\d+)$/.exec(service.target)?.[1] ?? '';
    await expect(service.startReplica({ PORT: port })).rejects.toThrow('Set PORT to a free one');
  });

  it('creates every index', async () => {
    for (const [collection, indexes] of Object.entries(INDEXES)) {
      const made = await service.database.connection.collection(collection).indexes();
      expect(made.map(({ name }) => name)).toEqual(expect.arrayContaining(indexes.map(({ name }) => name)));
    }
  });
});
