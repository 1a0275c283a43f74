import { createSessionIds } from './session-ids';

const server = { workflowId: 'w1', node: 'Server' };

describe('the name of a session', () => {
  it('is valid at every replica with the secret, for its server', () => {
    const { id, name } = createSessionIds(() => 'secret').create(server);
    expect(createSessionIds(() => 'secret').read(name, server)).toBe(id);
  });

  it('is not valid for another server, with another secret, or changed', () => {
    const ids = createSessionIds(() => 'secret');
    const { id, name } = ids.create(server);
    const other = ids.create(server);
    expect(ids.read(name, { ...server, workflowId: 'w2' })).toBeUndefined();
    expect(ids.read(name, { ...server, node: 'Other' })).toBeUndefined();
    expect(createSessionIds(() => 'other').read(name, server)).toBeUndefined();
    expect(ids.read(`${other.id}.${name.split('.')[1] ?? ''}`, server)).toBeUndefined();
    for (const wrong of [id, `${id}.`, '', '.', `${name}x`, 'x'.repeat(10_000)])
      expect(ids.read(wrong, server)).toBeUndefined();
  });
});
