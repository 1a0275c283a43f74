import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPlaces, freePorts, inNetworkOfItsOwn, runCommand, tryCommand } from '@weft/local-stack';

const MINUTES = 60_000;

interface Outcome {
  readonly readyMs: number;
  readonly run: { readonly status: string; readonly text: string };
  readonly commit: string;
}

describe('a release archive', () => {
  let scratch: string;

  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'weft-archive-'));
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it(
    'has what a workflow with code needs to run, without a compiler and a network',
    async () => {
      const { checkout } = findPlaces(process.env);
      const out = join(scratch, 'out');
      await runCommand(process.execPath, ['packages/release/bin/release.mjs', '--out', out, '--only', 'archive'], {
        cwd: checkout,
        limitMs: 20 * MINUTES,
      });
      const [sums, archive = ''] = readdirSync(out).sort();
      expect([sums, archive]).toEqual([
        'SHA256SUMS',
        expect.stringMatching(/^weft-\d+\.\d+\.\d+-linux-(x64|arm64)\.tar\.gz$/),
      ]);

      await runCommand('tar', ['--extract', '--file', join(out, archive), '--directory', scratch]);
      const folder = join(scratch, archive.replace('.tar.gz', ''));
      const ports = (await freePorts(5)).map(String);
      const drive = [join(__dirname, 'drive-archive.js'), folder, join(scratch, 'of-user'), ...ports];
      const { command, args } = await withoutNetwork(process.execPath, drive);
      const outcome: Outcome = JSON.parse(await runCommand(command, args, { limitMs: 5 * MINUTES }));

      expect(outcome.run.status).toBe('success');
      expect(outcome.run.text).toContain('"sum":42');
      const commit = await runCommand('git', ['-C', checkout, 'rev-parse', 'HEAD']);
      expect(outcome.commit).toBe(commit.trim());
    },
    30 * MINUTES,
  );
});

/** A command line in a network with only the loopback interface, where this user can make one. */
async function withoutNetwork(
  command: string,
  args: readonly string[],
): Promise<{ command: string; args: readonly string[] }> {
  const isolated = inNetworkOfItsOwn([], '/dev/null', { command: 'true', args: [] });
  if ((await tryCommand(isolated.command, isolated.args)).code !== 0) return { command, args };
  return inNetworkOfItsOwn([], '/dev/null', { command, args });
}
