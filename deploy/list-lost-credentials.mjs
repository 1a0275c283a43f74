// Lists active workflows that name a credential which their runs may not use, with the grant that keeps each working:
// the role of a workflow's owner gives its runs no right to credentials of others any more (decision 0255).
//   WEFT_API_KEY=<key of an owner or admin> node deploy/list-lost-credentials.mjs https://weft.example.com [--grant]
// Run it before an update from 0.1.0 to see what changes. With --grant, after the update, it makes the grants, each for
// one workflow. Anyone who may change that workflow can then use the credential, so look at the list first.
import { argv, env, exit, stderr, stdout } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const [base, ...options] = argv.slice(2);
const key = env.WEFT_API_KEY;
if (base === undefined || key === undefined || options.some((option) => option !== '--grant')) {
  stderr.write('Usage: WEFT_API_KEY=<key> node deploy/list-lost-credentials.mjs <address of the gateway> [--grant]\n');
  exit(2);
}
const makesGrants = options.includes('--grant');

const call = async (method, path) => {
  for (;;) {
    const response = await fetch(`${base.replace(/\/+$/, '')}/api/v1${path}`, {
      method,
      headers: { 'x-svc-api-key': key },
    });
    const body = await response.json();
    if (response.ok) return body;
    // The limit of the key, or a service that restarts.
    if (response.status !== 429 && response.status !== 503)
      throw new Error(`${method} ${path}: ${response.status} ${body.error?.message ?? ''}`);
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 5));
  }
};

const all = async (path) => {
  const found = [];
  const separator = path.includes('?') ? '&' : '?';
  for (let cursor = ''; cursor !== null;) {
    const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { data, nextCursor } = await call('GET', `${path}${separator}limit=100${after}`);
    found.push(...data);
    cursor = nextCursor ?? null;
  }
  return found;
};

const owners = [
  ...(await all('/users')).map(({ id, name, email }) => ({ id, label: name || email })),
  ...(await all('/projects')).map(({ id, name }) => ({ id, label: `the project "${name}"` })),
];
const credentials = new Map();
for (const owner of owners)
  for (const { id, name } of await all(`/credentials?projectId=${owner.id}`)) credentials.set(id, { id, name, owner });

const grants = new Map();
const isGranted = async (credentialId, ids) => {
  if (!grants.has(credentialId))
    grants.set(credentialId, (await call('GET', `/credentials/${credentialId}/grants`)).data);
  return grants.get(credentialId).some(({ projectId }) => ids.includes(projectId));
};

const credentialIdsOf = ({ nodes }) =>
  new Set(
    nodes.flatMap(({ credentials: named }) => Object.values(named ?? {}).flatMap((one) => (one?.id ? [one.id] : []))),
  );

let losing = 0;
for (const owner of owners)
  for (const workflow of await all(`/workflows?projectId=${owner.id}`)) {
    if (!workflow.active) continue;
    for (const id of credentialIdsOf(workflow)) {
      const credential = credentials.get(id);
      // Unknown ids fail as before.
      if (credential === undefined || credential.owner.id === owner.id) continue;
      if (await isGranted(id, [owner.id, workflow.id])) continue;
      losing += 1;
      stdout.write(
        `${workflow.id} "${workflow.name}" of ${owner.label} names "${credential.name}" (${id}) of ` +
          `${credential.owner.label}\n` +
          `  PUT /api/v1/credentials/${id}/grants/${owner.id}   for all workflows of ${owner.label}\n` +
          `  PUT /api/v1/credentials/${id}/grants/${workflow.id}   for this workflow only\n`,
      );
      if (!makesGrants) continue;
      await call('PUT', `/credentials/${id}/grants/${workflow.id}`);
      stdout.write('  granted to this workflow\n');
    }
  }
stdout.write(losing === 0 ? 'No active workflow loses a credential.\n' : `${losing} in all.\n`);
