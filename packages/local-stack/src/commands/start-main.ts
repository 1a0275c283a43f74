import { findPlaces } from '../places';
import { readPorts } from '../stack/check-ports';
import { startStack } from '../stack/start-stack';
import type { Stack } from '../stack/stack';
import { SECRETS_FILE } from '../stack/secrets';
import { checkSettings } from '../settings/check-settings';
import { misspelledSettings } from '../settings/misspelled-settings';
import { installDemo } from './install-demo';
import { isPasswordShown, notePasswordShown } from './password-shown';
import { runAsCommand } from './run-as-command';
import { showLogs } from './show-logs';

/** `npm start [-- --verbose --demo]`: runs a whole stack on its fixed ports and data folder until Ctrl-C. */
runAsCommand(async ({ report, stopped }) => {
  const began = Date.now();
  const { checkout, data } = findPlaces(process.env);
  for (const warning of misspelledSettings(process.env)) report(`warning: ${warning}`);
  checkSettings(process.env);
  report('starting NATS, MongoDB and the five services');
  const stack = await startStack({ dataDir: data, ports: readPorts(process.env), report });
  const endLogs = showLogs(stack, process.argv.includes('--verbose'), report);
  report(welcome(stack, Date.now() - began, !isPasswordShown(data)));
  notePasswordShown(data);
  if (process.argv.includes('--demo'))
    report(await installDemo({ checkout, baseUrl: stack.baseUrls[0] ?? '', apiKey: stack.apiKey }));
  const unexpected = await Promise.race([stopped, stack.unexpectedEnd()]);
  report(unexpected === undefined ? '\nstopping (Ctrl-C again ends everything at once)' : 'stopping the rest');
  await stack.stop();
  endLogs();
  if (unexpected !== undefined) throw unexpected;
  report('stopped');
  return 0;
});

/** The addresses and logins that a person needs; the password is shown by the first start that gets ready. */
function welcome(stack: Stack, tookMs: number, showsPassword: boolean): string {
  const base = stack.baseUrls[0] ?? '';
  const targets = (['workflows', 'executions', 'credentials'] as const).map(
    (name) => `${name} ${stack.grpcTargets[name].replace('ipv4:', '')}`,
  );
  return `
Weft is ready after ${(tookMs / 1000).toFixed(1)} s.

  REST        ${base}/api/v1
  console     ${base}/console/
  API keys    ${base}/console/keys
  gRPC        ${targets.join(', ')}
  owner       ${stack.ownerEmail}${showsPassword ? `  password ${stack.ownerPassword}` : ''}
  API key     ${stack.apiKey}
  API docs    ${base}/docs/
  kept in     ${stack.dataDir}  (the secrets in ${SECRETS_FILE}, the logs in logs)

Try it:

  curl -H 'x-svc-api-key: ${stack.apiKey}' ${base}/api/v1/workflows

Ctrl-C stops everything.
`;
}
