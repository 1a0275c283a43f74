import { jest } from '@jest/globals';
import { SandboxProcess } from '../process/sandbox-process';
import { sealArchitecture } from '../seal/system-calls';
import { SealedPool } from './sealed-pool';
import { CURIOUS, HUNGRY } from '../testing/hostile-programs';
import { runScript } from '../testing/run-script';

const PROGRAMS: readonly string[] = [
  ...[...HUNGRY, ...CURIOUS].map(([, body]) => body),
  // Code that formats dates endlessly, and code that runs until its time limit.
  'for (;;) new Intl.DateTimeFormat("de", { dateStyle: "full", timeStyle: "full" }).format(Date.now())',
  'for (let n = 0; ; n += 1) DateTime.now().toFormat("yyyy".repeat(1000))',
];
const ATTACKERS = 4;
/** Maximum number of runs of the healthy owner compared with and without attackers. */
const MAX_HEALTHY = 20_000;

(sealArchitecture() === undefined ? describe.skip : describe)('hostile code of some owners', () => {
  const pool = new SealedPool({ processes: 2, memoryMb: 64, timeoutMs: 400 });
  beforeAll(() => pool.open());
  afterAll(async () => {
    jest.restoreAllMocks();
    await pool.close();
  });

  it('costs a healthy owner no run, and shares no process with any other owner', async () => {
    const owners = new Map<number, Set<string>>();
    const runs = new Map<string, number>();
    const { run } = SandboxProcess.prototype;
    jest.spyOn(SandboxProcess.prototype, 'run').mockImplementation(function (this: SandboxProcess, job) {
      const owner = /owner (\w+)/.exec(Buffer.from(job.code).toString())?.[1] ?? 'none';
      owners.set(this.pid ?? 0, (owners.get(this.pid ?? 0) ?? new Set()).add(owner));
      runs.set(owner, (runs.get(owner) ?? 0) + 1);
      return Reflect.apply(run, this, [job]);
    });
    let isOver = false;
    const attacks = Array.from({ length: ATTACKERS }, async (_, attacker) => {
      const own = PROGRAMS.filter((__, index) => index % ATTACKERS === attacker);
      // All of them at once: they queue, and the healthy owner does not wait behind them.
      await Promise.all(own.map((body) => runScript(pool.of(`${attacker}`), `/* owner ${attacker} */ ${body}`)));
    });
    const attacked = Promise.all(attacks).finally(() => {
      isOver = true;
    });
    const outcomes = new Map<string, number>();
    let healthy = 0;
    for (; !isOver && healthy < MAX_HEALTHY; healthy += 1) {
      const result = await runScript(pool.of('healthy'), `/* owner healthy */ return ${healthy}`);
      const outcome = result.value === healthy ? 'right' : JSON.stringify(result);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await attacked;
    expect(Object.fromEntries(outcomes)).toEqual({ right: healthy });
    expect(healthy).toBeGreaterThan(10);
    // None was run twice.
    expect(runs.get('healthy')).toBe(healthy);
    expect([...owners.values()].filter(({ size }) => size !== 1)).toEqual([]);
    expect(owners.size).toBeGreaterThan(ATTACKERS);
  });
});
