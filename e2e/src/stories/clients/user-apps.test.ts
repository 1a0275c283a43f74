import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../../corpus/places';
import { commandLine, jsonOf, type CommandLine } from '../../support/command-line';
import { callWebhook, dataOf, restClient, textOf, type Rest } from '../../support/rest';
import { startServices, type Services } from '../../support/stand-ins/services';
import { chain, node, type WorkflowFile } from '../../support/workflows';

const TYPE = '@apify/n8n-nodes-apify.apify';
const PATH = 'user-apps';

/** A workflow as n8n exports it, with a node of a community package. */
const exported = (): WorkflowFile =>
  chain('scrapes', [
    node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: PATH, responseMode: 'lastNode' }),
    {
      name: 'Get dataset items',
      type: TYPE,
      typeVersion: 1,
      position: [200, 0],
      parameters: { resource: 'Datasets', datasetId: '={{ $json.body.dataset }}', offset: {}, limit: {} },
      credentials: { apifyApi: { id: 'AuMAM42YTZ9Ue9DQ', name: 'Apify account' } },
    },
  ]);

describe('an app that a user adds', () => {
  let stack: Stack;
  let rest: Rest;
  let cli: CommandLine;
  let services: Services;
  let base = '';
  const weft: CommandLine['weft'] = (words, options) => cli.weft(words, options);
  beforeAll(async () => {
    stack = await borrowStack({});
    base = stack.baseUrls[0] ?? '';
    rest = restClient(base, stack.apiKey);
    cli = commandLine(base, stack.apiKey);
    services = await startServices();
    services.answer(/^GET \/v2\/datasets\/d1\/items/, () => ({ body: [{ title: 'first' }] }));
    services.answer(/^GET \/v3\/datasets\/d1\/items/, () => ({ body: [{ title: 'second' }] }));
  });
  afterAll(async () => {
    await rest('DELETE', '/apps/apify?force=true');
    await services.stop();
    cli.remove();
    await giveStackBack(stack);
  });

  /** The sample of the repository, whose requests reach the stand-in instead, without the token of Apify. */
  const appFile = (version: string): string => {
    const file = join(cli.folder, `apify-${version}.yaml`);
    const sample = readFileSync(join(checkout, 'samples/apps/apify.yaml'), 'utf8');
    const url = JSON.stringify(`={{ '${services.url}/${version}' }}`);
    writeFileSync(
      file,
      sample
        .replace('hosts: [api.apify.com]', 'hosts: [127.0.0.1]')
        .replaceAll('url: https://api.apify.com/v2', `url: ${url}\n    credential: false`),
    );
    return file;
  };
  const call = () => callWebhook(base, PATH, { dataset: 'd1' });

  it('makes an imported workflow run, which keeps its revision until it is activated again', async () => {
    const credential = { name: 'Apify account', type: 'apifyApi', data: { apiKey: 'apify_secret' } };
    const credentialId = textOf(await rest('POST', '/credentials', credential), 'id');
    const id = textOf(await rest('POST', '/workflows', exported()), 'id');
    const refused = await rest('POST', `/workflows/${id}/activate`);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('add an app that provides this type'),
    ]);

    const wrong = await weft(['app', 'check', join(checkout, 'package.json')]);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('The field `weftApp` is missing.')]);
    const added = await weft(['app', 'add', appFile('v2')]);
    expect([added.code, jsonOf(added)]).toMatchObject([0, [{ name: 'apify', action: 'created', kinds: [TYPE] }]]);
    const listed = await weft(['app', 'list']);
    expect(jsonOf(listed)).toMatchObject([{ name: 'apify', digest: jsonOf(added)[0].digest }]);
    expect(dataOf(await rest('GET', `/node-types/${encodeURIComponent(TYPE)}`))).toMatchObject({ kind: TYPE });

    const activated = await rest('POST', `/workflows/${id}/activate`);
    expect([activated.status, dataOf(activated)['active']]).toEqual([200, true]);
    expect(activated.text).toContain(credentialId);
    expect(activated.text).not.toContain('weftApps');
    expect((await call()).json).toEqual({ title: 'first' });

    expect(jsonOf(await weft(['app', 'add', appFile('v3')]))).toMatchObject([{ action: 'updated' }]);
    expect((await call()).json).toEqual({ title: 'first' });
    await rest('POST', `/workflows/${id}/deactivate`);
    await rest('POST', `/workflows/${id}/activate`);
    expect((await call()).json).toEqual({ title: 'second' });
    expect(services.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);

    const kept = await weft(['app', 'remove', 'apify']);
    expect([kept.code, kept.err]).toEqual([5, expect.stringContaining('scrapes')]);
    expect((await weft(['app', 'remove', 'apify', '--force'])).code).toBe(0);
    expect((await call()).json).toEqual({ title: 'second' });
    await rest('DELETE', `/workflows/${id}`);
    await rest('DELETE', `/credentials/${credentialId}`);
  });
});
