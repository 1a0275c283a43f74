import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ARGOCD, HEALTH_SCRIPT, runHealth } from './run-health';

const condition = (type: string, status: string, reason = 'R'): object => ({
  type,
  status,
  reason,
  message: `${type} ${reason}`,
});

const objectWith = (status: object | undefined, spec: object = {}): object => ({
  metadata: { generation: 3 },
  spec: { active: true, ...spec },
  ...(status === undefined ? {} : { status }),
});

const statusWith = (...conditions: readonly object[]): object => ({ observedGeneration: 3, conditions });

describe('health.lua', () => {
  it.each([
    ['no status yet', objectWith(undefined), 'Progressing'],
    ['a status without conditions', objectWith({ observedGeneration: 3 }), 'Progressing'],
    [
      'a status of an older generation',
      objectWith({ observedGeneration: 2, conditions: [condition('Ready', 'True')] }),
      'Progressing',
    ],
    ['no Ready', objectWith(statusWith()), 'Progressing'],
    ['ready', objectWith(statusWith(condition('Ready', 'True'))), 'Healthy'],
    ['not ready', objectWith(statusWith(condition('Ready', 'False', 'Drifted'))), 'Degraded'],
    [
      'reconciling although ready',
      objectWith(statusWith(condition('Ready', 'True'), condition('Reconciling', 'True'))),
      'Progressing',
    ],
    ['stalled', objectWith(statusWith(condition('Ready', 'False'), condition('Stalled', 'True'))), 'Degraded'],
    ['suspended', objectWith(statusWith(condition('Ready', 'True')), { suspend: true }), 'Suspended'],
  ])('shows an object with %s', (_, object, status) => {
    expect(runHealth(HEALTH_SCRIPT, object).status).toBe(status);
  });

  it('shows the message of the condition that decides', () => {
    const object = objectWith(statusWith(condition('Ready', 'False'), condition('Stalled', 'True', 'Refused')));
    expect(runHealth(HEALTH_SCRIPT, object).message).toBe('Stalled Refused');
  });

  it('is what the patch of argocd-cm contains, for all kinds', () => {
    const patch: { readonly data: Readonly<Record<string, string>> } = parse(
      readFileSync(join(ARGOCD, 'argocd-cm.patch.yaml'), 'utf8'),
    );
    expect(patch.data).toEqual({
      'resource.customizations.health.weft.dev_WeftWorkflow': HEALTH_SCRIPT,
      'resource.customizations.health.weft.dev_WeftCredential': HEALTH_SCRIPT,
      'resource.customizations.health.weft.dev_WeftApp': HEALTH_SCRIPT,
    });
  });
});
