import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** A workflow that answers calls with the item of the app `saying`. */
const userOf = (path: string): WorkflowFile =>
  chain(path, [
    node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path, responseMode: 'lastNode' }),
    { name: 'Say', type: 'weft-nodes-base.saying', typeVersion: 1, position: [200, 0], parameters: {} },
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
  /** An app whose item is a word. */
  const sayingApp = (word: string): string =>
    [
      'weftApp: 1',
      'name: saying',
      'label: Saying',
      'hosts: [127.0.0.1]',
      'credentials: {}',
      `calls: { api: { url: "={{ '${services.url}' }}" } }`,
      'kinds:',
      '  saying:',
      '    label: Saying',
      '    description: Says a word.',
      '    versions: [1]',
      '    groups: [output]',
      '    parameters: []',
      '    operations:',
      `      default: { call: api, path: /v2/datasets/d1/items, item: { word: "${word}" } }`,
    ].join('\n');
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

    const replaced = await weft(['app', 'add', appFile('v3')]);
    expect(jsonOf(replaced)).toMatchObject([{ action: 'updated' }]);
    expect(replaced.err).toContain('--renew-apps');
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

  it('is applied from a folder, before the workflow that uses it', async () => {
    const path = 'applied-app';
    const folder = cli.files('applied', { 'a-first.json': { ...userOf(path), active: true } });
    const write = (word: string): void => writeFileSync(join(folder, 'z-last.yaml'), sayingApp(word));
    write('one');
    const apply = ['apply', '-f', folder, '--set', 'applied'];
    const planned = await weft([...apply, '--dry-run']);
    expect([planned.code, jsonOf(planned)]).toMatchObject([
      0,
      { apps: [{ action: 'create', app: 'saying' }], changes: [{ action: 'create', key: 'a-first' }] },
    ]);
    expect((await rest('GET', '/apps/saying')).status).toBe(404);
    const compared = await weft(['diff', '-f', folder, '--set', 'applied']);
    expect([compared.code, compared.out]).toEqual([1, expect.stringMatching(/^\+ app saying: new[^]*\+ a-first: new/)]);

    const applied = await weft(apply);
    expect([applied.code, jsonOf(applied)]).toMatchObject([
      0,
      { apps: [{ action: 'created', app: 'saying' }], changes: [{ action: 'created', key: 'a-first' }] },
    ]);
    expect((await callWebhook(base, path, {})).json).toEqual({ word: 'one' });
    expect(jsonOf(await weft(apply))).toMatchObject({ apps: [], changes: [], unchanged: 1 });

    write('two');
    const changed = await weft(['diff', '-f', folder, '--set', 'applied']);
    expect([changed.code, changed.out]).toEqual([1, expect.stringContaining('~ app saying\n')]);
    expect(changed.out).toContain('"one" -> "two"');
    const updated = await weft(apply);
    expect([updated.code, jsonOf(updated)]).toMatchObject([
      0,
      { apps: [{ action: 'updated' }], changes: [], unchanged: 1 },
    ]);
    expect(updated.err).toContain('keep the revision');
    expect((await callWebhook(base, path, {})).json).toEqual({ word: 'one' });
    const renewed = await weft([...apply, '--renew-apps']);
    expect([renewed.code, jsonOf(renewed)]).toMatchObject([0, { changes: [{ action: 'updated', key: 'a-first' }] }]);
    expect((await callWebhook(base, path, {})).json).toEqual({ word: 'two' });

    writeFileSync(join(folder, 'z-last.yaml'), sayingApp('three').replace('operations:', 'operation:'));
    const wrong = await weft(apply);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/z-last\.yaml:\d+: kinds\.saying\.operation:/)]);
    rmSync(join(folder, 'z-last.yaml'));
    const half = await weft([...apply, '--prune-apps']);
    expect([half.code, half.err]).toEqual([2, expect.stringMatching(/would delete \d+ of the \d+ apps/)]);
    const prune = [...apply, '--prune-all-apps'];
    const deletes = await weft([...prune, '--dry-run']);
    expect([deletes.code, jsonOf(deletes)]).toMatchObject([0, { apps: [{ action: 'delete', app: 'saying' }] }]);
    const used = await weft(prune);
    expect([used.code, jsonOf(used)]).toMatchObject([5, { apps: [{ action: 'failed', app: 'saying' }] }]);
    expect(jsonOf(used).apps[0].message).toContain(path);
    const { id } = jsonOf(applied).changes[0];
    rmSync(join(folder, 'a-first.json'));
    writeFileSync(
      join(folder, 'b-other.json'),
      JSON.stringify(chain('other', [node('Start', 'manualTrigger', 1, 0, {})])),
    );
    const pruned = await weft([...prune, '--prune-all']);
    expect([pruned.code, jsonOf(pruned)]).toMatchObject([
      0,
      { apps: [{ action: 'deleted', app: 'saying' }], changes: [{ action: 'deleted' }, { action: 'created' }] },
    ]);
    expect((await rest('GET', `/workflows/${id}`)).status).toBe(404);
    expect((await rest('GET', '/apps/saying')).status).toBe(404);
    await rest('DELETE', `/workflows/${jsonOf(pruned).changes[1].id}`);
  });

  it('is written by owners and admins only, and no workflow that needs it is written without it', async () => {
    const folder = cli.files('limited', { 'w.json': { ...userOf('limited-app'), active: true } });
    writeFileSync(join(folder, 'app.yaml'), sayingApp('one'));
    const key = await rest('POST', '/keys', { name: 'ci', scopes: ['workflows:write'] });
    const refused = await weft(['apply', '-f', folder], { key: textOf(key, 'value') });
    expect([refused.code, jsonOf(refused)]).toMatchObject([3, { apps: [{ action: 'failed' }], changes: [] }]);
    expect((await rest('GET', '/workflows?summary=true&key=w')).json).toMatchObject({ data: [] });
    await rest('DELETE', `/keys/${textOf(key, 'id')}`);
  });
});
