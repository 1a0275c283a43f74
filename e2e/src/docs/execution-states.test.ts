import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'execution-states.md'), 'utf8').split('\n');

interface Row {
  readonly id: string;
  readonly from: readonly string[];
  readonly to: string;
  readonly fence: string;
  readonly generation: string;
}

const readTable = (): Readonly<Record<string, Row>> => {
  const compiled = join(root, 'services', 'executions', 'dist', 'src', 'domain', 'state', 'execution-state.js');
  const script = `process.stdout.write(JSON.stringify(require(${JSON.stringify(compiled)}).TRANSITIONS))`;
  const table: Record<string, Row> = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
  return table;
};

/** Start of a row of the page that describes a transition. */
const beginningOf = ([name, { id, from, to, fence, generation }]: [string, Row]): string =>
  `| ${id} | \`${name}\` | ${from.join(', ')} → ${to} | ${fence} | ${generation} |`;

describe('docs/execution-states.md', () => {
  it('describes every transition of the state table, as the code has it, and no other', () => {
    const told = page.flatMap((line) => /^\| T\d+\w* \| `\w+` \|[^|]*\|[^|]*\|[^|]*\|/.exec(line) ?? []);
    expect(told.sort()).toEqual(Object.entries(readTable()).map(beginningOf).sort());
  });
});
