import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAfterEach, until } from '@weft/service-kit/testing';
import { sealArchitecture } from '../seal/system-calls';
import { createPoolShare } from './pool-share';
import { openTaskProcesses, type TaskProcesses, type TaskProcessesOptions } from './task-processes';

const PROGRAM = `
const { serveTasks, TaskOutOfMemory } = require(${JSON.stringify(join(__dirname, '..', 'child', 'task-program.js'))});
let tasks = 0;
let held;
void serveTasks({
  inputBytes: 1000,
  resultBytes: 1000,
  // Slow to start: a 1 ms timer is due before the event loop polls for the first time.
  warmUp: async () => process.nextTick(() => { for (const end = Date.now() + 5; Date.now() < end; ); }),
  run: async (kind, input) => {
    console.log('discarded');
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

(sealArchitecture() === undefined ? describe.skip : describe)('processes for tasks', () => {
  const later = closeAfterEach();
  const folder = mkdtempSync(join(tmpdir(), 'weft-task-'));
  const path = join(folder, 'program.js');
  writeFileSync(path, PROGRAM);
  afterAll(() => rmSync(folder, { recursive: true }));
  const optionsOf = ({ processes = 1, ...over }: Over): TaskProcessesOptions => ({
    program: { path, inputBytes: 1000, resultBytes: 1000, idleMb: 150 },
    share: later(createPoolShare({ processes, held: processes }), ({ places }) => places.close()),
    memoryMb: 64,
    timeoutMs: 60_000,
    ...over,
  });
  const open = (over: Over = {}): TaskProcesses =>
    later(openTaskProcesses(optionsOf(over)), (opened) => opened.close());
  const { signal } = new AbortController();
  const told = async (tasks: TaskProcesses, kind: string, input = 'in', owner = 'owner'): Promise<string> => {
    const answer = await tasks.of(owner).run({ kind, input: Buffer.from(input), signal });
    return answer.kind === 'result' ? Buffer.from(answer.result).toString() : `stopped: ${answer.reason}`;
  };
  const seccompOf = (tasks: TaskProcesses): (string | undefined)[] =>
    tasks.processIds.map((id) => /^Seccomp:\t(\d)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]);

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
    expect(await told(open(kind === 'loop' ? { timeoutMs: 500 } : {}), kind)).toBe(outcome);
  });

  it('memory outside of the heap is limited as well', async () => {
    expect(await told(open(), 'buffers')).toMatch(/^stopped: (engine|memory)$/);
  });

  it('the next task runs after one has ended its process, and no other owner loses a process', async () => {
    const tasks = open({ timeoutMs: 2_000, processes: 2 });
    await told(tasks, 'count', '', 'quiet');
    expect(await told(tasks, 'loop')).toBe('stopped: time');
    expect(await told(tasks, 'count')).toBe('1');
    expect(await told(tasks, 'count', '', 'quiet')).toBe('2');
  });

  it('refuse too much input', async () => {
    expect(await told(open(), 'echo', 'x'.repeat(1001))).toBe('stopped: input');
  });

  it('are not kept with all the memory that a task left behind', async () => {
    const tasks = open({ memoryMb: 256 });
    expect([await told(tasks, 'count'), await told(tasks, 'grow')]).toEqual(['1', 'in']);
    const [grown = 0] = tasks.processIds;
    await until('its process ends', () => !tasks.processIds.includes(grown));
    expect(await told(tasks, 'count')).toBe('1');
  });

  it('serve one owner each', async () => {
    const tasks = open({ processes: 2 });
    expect([await told(tasks, 'count', '', 'a'), await told(tasks, 'count', '', 'b')]).toEqual(['1', '1']);
  });

  it('are sealed', async () => {
    const tasks = open();
    await told(tasks, 'echo');
    expect(seccompOf(tasks)[0]).toBe('2');
  });

  it('do nothing if no process can be sealed, and report why', async () => {
    const arch = Object.getOwnPropertyDescriptor(process, 'arch') ?? {};
    Object.defineProperty(process, 'arch', { ...arch, value: 'riscv64' });
    try {
      const reasons: string[] = [];
      const tasks = open({ onUnavailable: ({ message }) => void reasons.push(message) });
      await tasks.ready();
      expect([await told(tasks, 'echo'), reasons, tasks.processIds]).toEqual([
        'stopped: unsealed',
        [`No process can be sealed on ${process.platform} (riscv64).`],
        [],
      ]);
    } finally {
      Object.defineProperty(process, 'arch', arch);
    }
  });
});
