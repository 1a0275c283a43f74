import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EVERY_ADDRESS, inNetworkOfItsOwn, runCommand } from '@weft/local-stack';
import { FORBIDDEN, isPublic, NOT_COUNTED } from './support/ssrf/addresses';
import { NAME_SERVER } from './support/ssrf/counting-world';
import type { Counts, Report } from './support/ssrf/scene';

const GUIDE = resolve(__dirname, '../../../../docs/guides/egress.md');
const tree = process.env['TEST_SQUID_TREE'] ?? '';

/** The rules for Squid in the operators' guide. */
const rulesOfGuide = (): string => /```squid\n([^]+?)```/.exec(readFileSync(GUIDE, 'utf8'))?.[1] ?? '';

/** Runs the corpus in a network where this machine has every address, so that its listeners see all connections. */
async function runScene(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-ssrf-'));
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content, { mode: 0o644 });
    return join(folder, name);
  };
  const report = join(folder, 'report.json');
  const scene = join(__dirname, 'support/ssrf/scene.js');
  const { command, args } = inNetworkOfItsOwn(EVERY_ADDRESS, file('resolv.conf', `nameserver ${NAME_SERVER}\n`), {
    command: process.execPath,
    args: [scene, tree, file('rules', rulesOfGuide()), report],
  });
  try {
    // Slow look-ups must not delay the others.
    await runCommand(command, args, { env: { ...process.env, UV_THREADPOOL_SIZE: '64' } });
    return JSON.parse(readFileSync(report, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const forbiddenOf = (counts: Counts) =>
  Object.entries(counts).map(([part, { forbidden, addresses }]) => [part, forbidden, addresses]);
const nothingOf = (counts: Counts) => Object.keys(counts).map((part) => [part, 0, []]);

const describeScene = tree === '' ? describe.skip : describe;
const why = tree === '' ? ' (skipped: TEST_SQUID_TREE names no proxy)' : '';

describeScene(`attempts on a forbidden address${why}`, () => {
  let seen: Report;
  // Mostly waiting: for slow name servers, and for drivers that retry.
  beforeAll(async () => {
    seen = await runScene();
  }, 300_000);

  it.each([
    ['directly', 'direct'],
    ['through the tunnels of a proxy', 'tunnel'],
    ['through a proxy that resolves names and has the rules of the guide', 'names'],
    [
      'through a proxy that resolves names and has no rules, as far as this process can look them up',
      'namesWithoutRules',
    ],
  ] as const)('reach none %s', (_title, way) => {
    expect(forbiddenOf(seen.guarded[way])).toEqual(nothingOf(seen.guarded[way]));
  });

  it('ask the proxy only for public addresses, unless the proxy resolves names', () => {
    const asked = seen.log.filter(({ port }) => port === 'tunnel');
    expect(asked.filter(({ method }) => method !== 'CONNECT')).toEqual([]);
    const hosts = new Set(asked.map(({ target }) => target.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')));
    expect([...hosts].filter((host) => !isPublic(host))).toEqual([]);
    expect(hosts.size).toBeGreaterThan(0);
  });

  it('lead the proxy only to public addresses where it resolves names, with its rules or without', () => {
    const asked = seen.log.filter(({ port }) => port.startsWith('names'));
    expect(asked.filter(({ reached }) => reached !== undefined && !isPublic(reached))).toEqual([]);
    expect(asked.some(({ method }) => method === 'GET')).toBe(true);
    expect(asked.some(({ method }) => method === 'CONNECT')).toBe(true);
  });

  it('would reach some in every part, and each address there, without the guard', () => {
    for (const [way, counts] of Object.entries(seen.unguarded))
      expect([way, forbiddenOf(counts).filter(([, forbidden]) => forbidden === 0)]).toEqual([way, []]);
    const addresses = Object.values(seen.unguarded.direct).flatMap((counts) => counts.addresses);
    const all = Object.values(FORBIDDEN).flat();
    expect(all.filter((address) => !NOT_COUNTED.includes(address) && !addresses.includes(address))).toEqual([]);
  });

  it('are all that is blocked: the same ways lead to public addresses', () => {
    expect(seen.missed).toEqual([]);
  });
});
