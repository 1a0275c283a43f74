import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { StackError } from '../errors';
import { tryCommand } from '../processes/run-command';

/** A running stack, for the examples. */
export interface DemoTarget {
  readonly checkout: string;
  /** Address of the gateway. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Exit codes of `weft apply`: all is well, or some workflows are inactive until their credentials exist. */
const ACCEPTED = [0, 5];
/** A credential of examples/README.md, with which the commands below call the import. */
const CALLERS = { name: 'Callers', type: 'httpHeaderAuth' };

/** The same for every start on a data folder, so that it need not be stored. */
const callersKey = (apiKey: string): string => createHash('sha256').update(`demo ${apiKey}`).digest('hex').slice(0, 32);

async function send(target: DemoTarget, method: string, path: string, body?: object): Promise<string> {
  const reply = await fetch(`${target.baseUrl}/api/v1${path}`, {
    method,
    headers: { 'x-svc-api-key': target.apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new StackError(`The examples could not be installed: ${method} ${path}: ${text}`);
  return text;
}

async function list(target: DemoTarget, path: string): Promise<readonly Listed[]> {
  const { data }: { readonly data: readonly Listed[] } = JSON.parse(await send(target, 'GET', path));
  return data;
}

interface Listed {
  readonly id: string;
  readonly name?: string;
  readonly key?: string;
  readonly active?: boolean;
}

async function applyExamples({ checkout, baseUrl, apiKey }: DemoTarget): Promise<void> {
  const node = process.execPath;
  const bundle = await tryCommand(node, [join(checkout, 'packages/cli/bin/bundle.mjs')]);
  const env = { WEFT_URL: baseUrl, WEFT_API_KEY: apiKey };
  const program = join(checkout, 'packages/cli/dist/weft.mjs');
  const apply =
    bundle.code === 0
      ? await tryCommand(node, [program, 'apply', '-f', join(checkout, 'examples'), '--set', 'examples'], { env })
      : bundle;
  if (!ACCEPTED.includes(apply.code)) throw new StackError(`The examples could not be installed: ${apply.stderr}`);
}

/**
 * Installs the examples and the credential that some of them need. At a later start it changes nothing.
 * @returns the text with three commands to try
 */
export async function installDemo(target: DemoTarget): Promise<string> {
  const key = callersKey(target.apiKey);
  const credentials = await list(target, '/credentials?limit=100');
  if (!credentials.some(({ name }) => name === CALLERS.name))
    await send(target, 'POST', '/credentials', { ...CALLERS, data: { name: 'X-Key', value: key } });
  await applyExamples(target);
  const workflows = await list(target, '/workflows?summary=true&limit=100&set=examples');
  const active = workflows.filter(({ active: isActive }) => isActive === true);
  const backfilled = workflows.find((one) => one.key === 'examples/schedule-backfill')?.id ?? '';
  const { baseUrl, apiKey } = target;
  const asOwner = `-H 'x-svc-api-key: ${apiKey}'`;
  const json = "-H 'content-type: application/json'";
  const period = '{"from":"2026-11-28T12:00:00Z","to":"2026-11-29T23:30:00Z"}';
  const file = 'examples/csv-import/customers.csv';
  return [
    '',
    `The examples are installed: ${workflows.length} workflows, ${active.length} of them active.`,
    'The others wait for credentials, which examples/README.md lists. Three commands to try, in this folder:',
    '',
    '  Import customers from a CSV file:',
    `  curl -sS ${baseUrl}/webhook/examples/customers -H 'X-Key: ${key}' -F data=@${file}`,
    '',
    '  Count the sign-ups of two days of the past, by a backfill of a schedule:',
    `  curl -sS ${baseUrl}/api/v1/workflows/${backfilled}/backfill ${asOwner} ${json} -d '${period}'`,
    '',
    '  List the runs:',
    `  curl -sS '${baseUrl}/api/v1/executions?limit=5' ${asOwner}`,
    '',
    `A form to fill in: ${baseUrl}/form/examples/claim`,
    '',
  ].join('\n');
}
