import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { checkApp } from './checks/check-app';

const ROOT = __dirname.split(`${sep}packages${sep}`)[0] ?? '';

const problemsOf = (file: string, text: string): readonly string[] => {
  const checked = checkApp(file, text);
  return checked.kind === 'app' ? [] : checked.problems.map(({ line, message }) => `${line}: ${message}`);
};

describe('the guide "Add an app in an hour"', () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/add-an-app.md'), 'utf8');
  const [first = '', , lists = '', parameters = '', operation = '', before = ''] = guide
    .split('```yaml\n')
    .slice(1)
    .map((part) => part.split('```')[0] ?? '');

  it('has a file without problems after each step', () => {
    expect(problemsOf('app.yaml', first)).toEqual([]);
    const second = `${first
      .replace('kinds:\n', `${lists}\nkinds:\n`)
      .replace('label: Create a ticket }', 'label: Create a ticket }, { value: list, label: List tickets }')
      .replace('    operations:\n', `${parameters}    operations:\n`)}${operation}`;
    expect(problemsOf('app.yaml', second)).toEqual([]);
    const [cursor = ''] = lists.split('\n\n');
    const third = second.replace(cursor, before.trimEnd()).replace('pages: cursor', 'pages: before');
    expect(problemsOf('app.yaml', third)).toEqual([]);
    expect(third).toContain('pages: before');
  });

  it('shows the message of a host that is missing', () => {
    const wrong = first.replace('hosts: [api.helpdesk.example]', 'hosts: [helpdesk.example]');
    const [problem = ''] = problemsOf('app.yaml', wrong);
    const [line, message] = problem.split(/: (.*)/);
    expect(guide).toContain(`app.yaml:${line}: calls.api.url: ${message}`);
  });
});

describe('the samples', () => {
  const folder = join(ROOT, 'samples/apps');

  it.each(readdirSync(folder))('%s has no problems', (file) => {
    expect(problemsOf(file, readFileSync(join(folder, file), 'utf8'))).toEqual([]);
  });
});
