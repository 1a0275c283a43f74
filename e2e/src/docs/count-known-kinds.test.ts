import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';

const SCRIPT = join(__dirname.split(`${sep}e2e${sep}`)[0] ?? '', 'e2e', 'bin', 'count-known-kinds.mjs');

const node = (type: string, more: object = {}): object => ({ type, name: type, ...more });
const workflow = (...nodes: object[]): object => ({ nodes, connections: {} });
const set = node('n8n-nodes-base.set');
const slack = node('n8n-nodes-base.slack');

describe('the count of workflows with known kinds', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-known-kinds-'));
    for (const name of ['all', 'others']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'types.json'), JSON.stringify({ data: [{ kind: 'set' }, { kind: 'slack' }] }));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, content: unknown, part = 'all'): void =>
    writeFileSync(join(folder, part, name), typeof content === 'string' ? content : JSON.stringify(content));
  const count = (...more: string[]): string =>
    execFileSync(process.execPath, [SCRIPT, '--node-types', join(folder, 'types.json'), ...more, join(folder, 'all')], {
      encoding: 'utf8',
    });

  it('counts workflows whose nodes have the same types and names once, whatever their notes', () => {
    write('a.json', workflow(set, slack));
    write('b.json', workflow(slack, node('n8n-nodes-base.stickyNote'), set));
    write('c.json', workflow(set));
    expect(count()).toContain('2 of 2 distinct workflows (100.0 %), out of 3 read, use only the 2 known kinds.');
  });

  it('needs no kind of a disabled node', () => {
    write('a.json', workflow(set, node('n8n-nodes-base.gmail', { disabled: true })));
    expect(count()).toContain('1 of 1 distinct');
  });

  it('knows a kind by any prefix of its package, and no type of another package', () => {
    for (const type of ['weft-nodes-base.set', 'n8n-nodes-base.set', '@n8n/n8n-nodes-langchain.set', 'set'])
      write(`${type.replaceAll('/', '-')}.json`, workflow(node(type)));
    expect(count()).toContain('2 of 4 distinct');
  });

  it('knows the tools of kinds that are usable as a tool, and kinds of models', () => {
    const kinds = [{ kind: 'set' }, { kind: 'slack', usableAsTool: {} }, { kind: 'langchain.agent' }];
    writeFileSync(join(folder, 'types.json'), JSON.stringify({ data: kinds }));
    write('a.json', workflow(node('@n8n/n8n-nodes-langchain.agent'), node('n8n-nodes-base.slackTool')));
    write('b.json', workflow(node('n8n-nodes-base.setTool')));
    expect(count()).toContain('1 of 2 distinct workflows (50.0 %), out of 2 read, use only the 4 known kinds.');
  });

  it('lists the missing types by the number of workflows, and how many lack nothing else', () => {
    write('a.json', workflow(set, slack));
    write('b.json', workflow(slack, node('@n8n/n8n-nodes-langchain.agent')));
    expect(count('--without', 'slack')).toContain('\n2\t1\tslack\n1\t0\tlangchain.agent\n0 of 2 distinct');
  });

  it('leaves out the workflows of another population', () => {
    write('a.json', [workflow(set), workflow(slack)]);
    write('a.json', workflow(slack), 'others');
    expect(count('--exclude', join(folder, 'others'))).toContain('1 of 1 distinct workflows (100.0 %), out of 2 read');
  });

  it('finds workflows in lists and wrappers, and skips files that are not workflows', () => {
    write('a.json', [workflow(set)]);
    write('b.json', { data: { workflow: workflow(slack) } });
    write('c.json', { nodes: [] });
    write('d.json', 'not JSON');
    expect(count()).toContain('out of 2 read');
  });
});
