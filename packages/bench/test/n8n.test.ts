import { rmSync } from 'node:fs';
import { webhookWorkflow } from '../src/loads/webhook-workflow';
import { createN8nKind } from '../src/n8n/n8n-subject';
import type { Subject } from '../src/stacks/subject';
import { standInN8n } from './stand-in-n8n';

/** The stand-in needs no database. Counts what was started and not stopped. */
const databases = { running: 0 };
const kind = createN8nKind(() => {
  databases.running += 1;
  const stop = (): Promise<void> => {
    databases.running -= 1;
    return Promise.resolve();
  };
  return Promise.resolve({ port: 1, login: { user: 'weft', password: 'test-password-1' }, pid: process.pid, stop });
});

describe('an n8n that is measured', () => {
  const folder = standInN8n();
  let subject: Subject;
  beforeEach(async () => {
    const plan = { name: 'n8n', kind: 'n8n', folder, replicas: {} } as const;
    const [first] = await kind.start(plan, () => undefined);
    if (first === undefined) throw new Error('It has no state.');
    subject = first;
  });
  afterEach(async () => {
    await subject.stack.stop();
    expect(databases.running).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is the one that is installed in the folder, with its database', () => {
    expect(subject.about).toContain('n8n 9.8.7, ');
    expect(subject.node.version).toBe(process.version);
    expect(subject.facts.processes.map(({ name }) => name)).toEqual(['n8n', 'postgres']);
    expect(subject.idleMiB.get('n8n')).toBeGreaterThan(10);
  });

  it('accepts calls of a webhook as soon as its workflow is reported as stored', async () => {
    await subject.api.create(webhookWorkflow('orders', 'onReceived'));
    const reply = await fetch(`${subject.api.baseUrl}/webhook/orders`, { method: 'POST' });
    expect(reply.status).toBe(200);
  });

  it('is not done while executions are new or running', async () => {
    await subject.api.untilDone('w');
    await expect(subject.api.readPage('/executions?status=new')).resolves.toEqual({ count: 0, nextCursor: null });
  });

  it('ends the run of the bench with its last words if it ends', async () => {
    await fetch(`${subject.api.baseUrl}/webhook/end`).catch(() => undefined);
    await expect(subject.stack.failed).rejects.toThrow('n8n ended with exit code 3.');
  });
});

describe('a folder without n8n', () => {
  it('is refused with what to do', () => {
    expect(() => kind.check('/nowhere')).toThrow(
      '/nowhere has no node_modules/n8n/bin/n8n. Install n8n there (npm install --prefix /nowhere n8n@2.41.1)',
    );
  });
});
