import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PROMETHEUS } from '../support/stand-ins/prometheus';
import { MONITORING } from './monitoring';

// Needs promtool, which is set up on Debian machines only: PROMETHEUS is unset elsewhere.
(PROMETHEUS === '' ? describe.skip : describe)('the alerts', () => {
  it('fire and are silent as their cases say', () => {
    const said = execFileSync(join(PROMETHEUS, 'promtool'), ['test', 'rules', 'alerts.test.yaml'], {
      cwd: MONITORING,
      stdio: 'pipe',
    });
    expect(said.toString()).toContain('SUCCESS');
  });
});
