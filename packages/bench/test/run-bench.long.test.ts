import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOADS } from '../src/loads';
import { readOptions } from '../src/options';
import { LOAD_NAMES, type Plan } from '../src/plan';
import { jsonReport } from '../src/report/json-report';
import { textReport } from '../src/report/text-report';
import { runBench } from '../src/run-bench';
import { standInCheckout, type StandInOptions } from './stand-in-checkout';

const ARGUMENTS = ['--rounds', '2', '--seconds', '0.3', '--warm-up', '0'];
const CALL_MS = 20;

describe('a run of the bench', () => {
  const folders: string[] = [];
  let log: string;
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-bench-'));
    folders.push(folder);
    log = join(folder, 'calls');
  });
  afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

  const plan = (...stacks: readonly Omit<StandInOptions, 'log'>[]): Plan => ({
    subjects: stacks.map((stack) => {
      const { folder } = standInCheckout({ ...stack, log });
      folders.push(folder);
      return { name: stack.name, kind: 'weft', folder, replicas: {} };
    }),
    loads: LOADS.filter(({ name }) => name === 'last-node-1'),
    reference: 'B',
    withCeilings: false,
    withEngine: false,
  });

  const run = (what: Plan, report: (line: string) => void = () => undefined) =>
    runBench(what, readOptions(ARGUMENTS, LOAD_NAMES), report, new Promise<never>(() => undefined));

  it('drives each checkout through REST alone, alternating, and counts the CPU of children that ended', async () => {
    const lines: string[] = [];
    const stacks = plan({ name: 'A', callMs: 2 * CALL_MS }, { name: 'B', callMs: CALL_MS });
    const { subjects, result } = await run(stacks, (line) => lines.push(line));

    const calls = readFileSync(log, 'utf8').trim().split('\n');
    expect(calls.filter((name, index) => name !== calls[index - 1])).toEqual(['A', 'B', 'A']);
    expect(lines).toContain('  compiling, says the checkout');

    const [load] = result.loads;
    const cpuOf = (subject: number): number =>
      load?.subjects[subject]?.figures.find(({ key }) => key === 'cpu.gateway children')?.median ?? 0;
    expect(cpuOf(0)).toBeGreaterThan(2 * CALL_MS - 10);
    expect(cpuOf(1)).toBeGreaterThan(CALL_MS - 10);
    expect(load?.ratios.find(({ key }) => key === 'cpu.gateway children')).toMatchObject({ subject: 'A' });
    expect(load?.subjects.map(({ failed }) => failed)).toEqual([0, 0]);

    const text = textReport(subjects, result);
    expect(text).toContain('last-node-1: webhook -> set, answered by the last node, one connection');
    expect(text).toContain('A / B');
    const json = jsonReport(new Date(0), { rounds: 2, seconds: 0.3, warmUpSeconds: 0 }, subjects, result);
    expect(JSON.parse(JSON.stringify(json))).toMatchObject({
      format: 'weft-bench',
      version: 1,
      reference: 'B',
      subjects: [
        { name: 'A', commit: null, node: expect.stringMatching(/^v\d+/), processes: ['gateway', 'runner'] },
        { name: 'B', replicas: {} },
      ],
      loads: [{ name: 'last-node-1', per: 'run', subjects: [{ subject: 'A' }, { subject: 'B' }] }],
      ceilings: null,
      engine: null,
    });
  });

  it('ends with the reason if a process of a stack ends', async () => {
    await expect(run(plan({ name: 'A', callMs: 0, endsAfter: 0 }))).rejects.toThrow(/gateway ended/);
  });

  it('starts nothing if a folder is not a checkout', async () => {
    const subjects = [
      ...plan({ name: 'A', callMs: 0 }).subjects,
      { name: 'B', kind: 'weft', folder: '/nowhere', replicas: {} },
    ] as const;
    const lines: string[] = [];
    await expect(run({ ...plan(), subjects }, (line) => lines.push(line))).rejects.toThrow(
      '/nowhere is not a checkout of Weft',
    );
    expect(lines).toEqual([]);
  });
});
