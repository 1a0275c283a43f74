import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAfterEach, until } from '@weft/service-kit/testing';
import { sealArchitecture } from './seal/system-calls';
import { createPoolShare } from './pool-share';
import { SealedPool } from './sealed-pool';
import { openTaskProcesses, type TaskProcesses, type TaskProcessesOptions } from './task-processes';

const PROGRAM = `
const { serveTasks, TaskOutOfMemory } = require(${JSON.stringify(join(__dirname, 'child', 'task-program.js'))});
let tasks = 0;
let held;
void serveTasks({
  inputBytes: 1000,
  resultBytes: 1000,
  // Slow to start: a timer of 1 ms is due before the event loop polls for the first time.
  warmUp: async () => process.nextTick(() => { for (const end = Date.now() + 5; Date.now() < end; ); }),
  run: async (kind, input) => {
    console.log('to nobody');
    tasks += 1;
    if (kind === 'echo') return input;
    if (kind === 'count') return Buffer.from(String(tasks));
    if (kind === 'grow') held = Buffer.alloc(150e6, 1);
    if (kind === 'grow') return input;
    if (kind === 'large') return Buffer.alloc(1001);
    if (kind === 'later') return new Promise((resolve) => setTimeout(() => resolve(input), 5));
    if (kind === 'never') return new Promise(() => undefined);
    if (kind === 'loop') for (;;);
    if (kind === 'buffers') { const held = []; for (;;) held.push(Buffer.alloc(8e6, 1)); }
    if (kind === 'heap') { const held = []; for (;;) held.push(new Array(1e5).fill(tasks)); }
    if (kind === 'memory') throw new TaskOutOfMemory(undefined);
    throw new Error(kind);
  },
});`;

type Over = Partial<TaskProcessesOptions> & { readonly processes?: number };

describe('processes for tasks', () => {
  const later = closeAfterEach();
  const folder = mkdtempSync(join(tmpdir(), 'weft-task-'));
  const path = join(folder, 'program.js');
  writeFileSync(path, PROGRAM);
  afterAll(() => rmSync(folder, { recursive: true }));
  const optionsOf = ({ processes = 1, ...over }: Over): TaskProcessesOptions => ({
    program: { path, inputBytes: 1000, resultBytes: 1000, idleMb: 150 },
    seal: 'auto',
    share: later(createPoolShare({ processes, held: processes }), ({ turns }) => turns.close()),
    memoryMb: 64,
    timeoutMs: 60_000,
    ...over,
  });
  const open = (over: Over = {}, createSealed?: () => SealedPool): TaskProcesses =>
    later(openTaskProcesses(optionsOf(over), createSealed), (opened) => opened.close());
  const { signal } = new AbortController();
  const told = async (tasks: TaskProcesses, kind: string, input = 'in', owner = 'owner'): Promise<string> => {
    const answer = await tasks.of(owner).run({ kind, input: Buffer.from(input), signal });
    return answer.kind === 'result' ? Buffer.from(answer.result).toString() : `stopped: ${answer.reason}`;
  };
  const unsealable = (): SealedPool => {
    const program = { path, values: ['sealed'], flags: [], inputBytes: 1, resultBytes: 1 };
    const pool = new SealedPool(optionsOf({}), program);
    pool.open = () => Promise.reject(new Error('no seccomp'));
    return pool;
  };
  const seccompOf = (tasks: TaskProcesses): (string | undefined)[] =>
    tasks.processIds.map((id) => /^Seccomp:\t(\d)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]);

  describe.each(['auto', 'off'] as const)('with a seal of %s', (seal) => {
    it.each([
      ['echo', 'in'],
      ['later', 'in'],
      ['large', 'stopped: result'],
      ['never', 'stopped: never'],
      ['memory', 'stopped: memory'],
      ['heap', 'stopped: memory'],
      ['other', 'stopped: engine'],
      ['loop', 'stopped: time'],
    ])('a task that does %s ends as %s', async (kind, outcome) => {
      expect(await told(open({ seal, ...(kind === 'loop' ? { timeoutMs: 500 } : {}) }), kind)).toBe(outcome);
    });

    it('memory outside of the heap is limited as well', async () => {
      expect(await told(open({ seal }), 'buffers')).toMatch(/^stopped: (engine|memory)$/);
    });

    it('the next task is done when one has ended its process, and nobody else loses theirs', async () => {
      const tasks = open({ seal, timeoutMs: 2_000, processes: 2 });
      await told(tasks, 'count', '', 'quiet');
      expect(await told(tasks, 'loop')).toBe('stopped: time');
      expect(await told(tasks, 'count')).toBe('1');
      expect(await told(tasks, 'count', '', 'quiet')).toBe('2');
    });
  });

  it('take no more input than they may', async () => {
    expect(await told(open(), 'echo', 'x'.repeat(1001))).toBe('stopped: input');
  });

  it('are not held with all the memory that a task left behind', async () => {
    if (process.platform !== 'linux') return;
    const tasks = open({ memoryMb: 256 });
    expect([await told(tasks, 'count'), await told(tasks, 'grow')]).toEqual(['1', 'in']);
    const [grown = 0] = tasks.processIds;
    await until('its process ends', () => !tasks.processIds.includes(grown));
    expect(await told(tasks, 'count')).toBe('1');
  });

  it('are given to one owner each', async () => {
    const tasks = open({ processes: 2 });
    expect([await told(tasks, 'count', '', 'a'), await told(tasks, 'count', '', 'b')]).toEqual(['1', '1']);
  });

  it('are sealed where that can be, and not if it is off', async () => {
    if (sealArchitecture() === undefined) return;
    const [sealed, limited] = [open({ seal: 'required' }), open({ seal: 'off' })];
    await Promise.all([told(sealed, 'echo'), told(limited, 'echo')]);
    await until('both to have started', () => sealed.processIds.length > 0 && limited.processIds.length > 0);
    expect([seccompOf(sealed)[0], seccompOf(limited)[0]]).toEqual(['2', '0']);
  });

  it('work without a seal, and say why, where none can be had', async () => {
    const reasons: string[] = [];
    const tasks = open({ onUnsealed: ({ message }) => void reasons.push(message) }, unsealable);
    expect([await told(tasks, 'echo'), reasons]).toEqual(['in', ['no seccomp']]);
  });

  it('do not work there if they must be sealed', async () => {
    const tasks = open({ seal: 'required' }, unsealable);
    await expect(tasks.ready()).rejects.toThrow('no seccomp');
    expect(await told(tasks, 'echo')).toBe('stopped: start');
  });
});
