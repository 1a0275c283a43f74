import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../corpus/places';
import { dataOf, listOf, textOf, type Rest, type RestAnswer } from './rest';
import type { MailServer } from './stand-ins/mail-server';
import type { Services } from './stand-ins/services';
import { until } from './until';

export const EXAMPLES = join(checkout, 'examples');

/** Folders of the examples. */
export const exampleNames = (): readonly string[] =>
  readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** Secrets of senders, and of callers of examples. */
export const SECRETS = {
  callers: 'key of the callers',
  github: 'secret of GitHub',
  stripe: 'whsec_of_stripe',
} as const;

/** Variables that the examples read. */
export const variablesFor = ({ url }: Services): Readonly<Record<string, string>> => ({
  erp_url: `${url}/erp`,
  shop_url: `${url}/shop`,
  crm_url: `${url}/crm`,
  billing_url: `${url}/billing`,
  deploy_url: `${url}/deploy`,
  alert_url: `${url}/alerts`,
  mail_from: 'weft@example.com',
  approver_mail: 'approver@example.com',
  report_mail: 'sales@example.com',
  alert_mail: 'operators@example.com',
});

interface NewCredential {
  readonly name: string;
  readonly type: string;
  readonly data: object;
}

/** Credentials that the examples name. */
export const credentialsFor = ({ port }: MailServer): readonly NewCredential[] => [
  { name: 'Callers', type: 'httpHeaderAuth', data: { name: 'X-Key', value: SECRETS.callers } },
  { name: 'Internal services', type: 'httpHeaderAuth', data: { name: 'Authorization', value: 'Bearer internal' } },
  { name: 'Alert channel', type: 'httpHeaderAuth', data: { name: 'Authorization', value: 'Bearer channel' } },
  { name: 'GitHub', type: 'webhookSignature', data: { scheme: 'github', secret: SECRETS.github } },
  { name: 'Stripe', type: 'webhookSignature', data: { scheme: 'stripe', secret: SECRETS.stripe } },
  { name: 'Mail server', type: 'smtp', data: { host: '127.0.0.1', port, secure: false, disableStartTls: true } },
];

/** An execution with its data, once it has ended or waits. */
export const endOf = (rest: Rest, executionId: string): Promise<Readonly<Record<string, unknown>>> =>
  until(`the end of ${executionId}`, async () => {
    const execution = dataOf(await rest('GET', `/executions/${executionId}?wait=true`));
    return execution['status'] === 'running' ? undefined : execution;
  });

/** Starts a workflow at one of its triggers and waits for its end. */
export const runAt = async (rest: Rest, id: string, startNode: string, data: object): Promise<RestAnswer> =>
  rest('POST', `/workflows/${id}/execute`, { startNode, data, wait: true });

/** Rows of a table, without the fields of the service. */
export const rowsOf = async (rest: Rest, table: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const found = listOf(await rest('GET', '/data-tables?limit=100')).find(({ name }) => name === table);
  if (found === undefined) return [];
  const rows = listOf(await rest('GET', `/data-tables/${String(found['id'])}/rows?limit=100`));
  return rows.map(({ id: _id, createdAt: _created, updatedAt: _updated, ...values }) => values);
};

/** Stores variables and credentials. @returns what removes them */
export const storeSettings = async (
  rest: Rest,
  variables: Readonly<Record<string, string>>,
  credentials: readonly NewCredential[],
): Promise<() => Promise<void>> => {
  const paths: string[] = [];
  const add = async (path: string, body: object): Promise<void> => {
    paths.push(`${path}/${textOf(await rest('POST', path, body), 'id')}`);
  };
  for (const [key, value] of Object.entries(variables)) await add('/variables', { key, value });
  for (const credential of credentials) await add('/credentials', credential);
  return async () => {
    for (const path of paths) await rest('DELETE', path);
  };
};
