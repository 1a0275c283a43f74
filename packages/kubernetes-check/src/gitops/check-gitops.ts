import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Report, runAsCommand, StackError } from '@weft/local-stack';
import { HAS_KUBECTL } from '@weft/e2e/rendered';
import { startScene } from './scene';
import { STORIES } from './stories';

const check = async (report: Report, folder: string, pattern: string): Promise<number> => {
  if (!HAS_KUBECTL) throw new StackError('kubectl is missing: put it on the PATH.');
  const stories = STORIES.filter(({ name }) => name.includes(pattern));
  if (stories.length === 0) throw new StackError(`No story is called "${pattern}".`);
  const { scene, stop } = await startScene(folder, report);
  let failed = 0;
  try {
    for (const { name, tell } of stories) {
      const begun = performance.now();
      try {
        await tell(scene);
        report(`ok      ${name} (${Math.round(performance.now() - begun)} ms)`);
      } catch (error) {
        failed += 1;
        report(`failed  ${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await stop();
  }
  report(`${stories.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
};

/**
 * `npm run check:gitops [-- NAME]`: the operator with the rights of its roles, between a control plane of Kubernetes
 * and a stack. With a name, only the stories whose name contains it.
 */
runAsCommand(async ({ report, interrupted }) => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-gitops-'));
  const code = await Promise.race([check(report, folder, process.argv[2] ?? ''), interrupted]);
  if (code === 0) rmSync(folder, { recursive: true, force: true });
  else report(`The logs are in ${folder}.`);
  return code;
});
