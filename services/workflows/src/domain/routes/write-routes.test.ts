import { routeKey } from '@weft/node-catalogue';
import { writeRoutes } from './write-routes';
import { WebhookPathTaken } from '../errors';
import type { Listener } from '../ports';
import { withActivation, type Activation, type Workflow } from '../workflows/workflow';

const WORKFLOW: Workflow = {
  id: 'w1',
  name: 'n',
  ownerId: 'u1',
  active: false,
  versionId: 'v1',
  definitionBytes: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

const activationOf = (id: string, path: string): Activation => ({
  id,
  versionId: 'v1',
  routes: [{ key: routeKey('POST', path), method: 'POST', path, node: 'Hook' }],
  schedules: [],
});

const HOLDER: Listener = {
  workflowId: 'w2',
  ownerId: 'u2',
  versionId: 'v2',
  routes: activationOf('b', 'a/:id').routes,
};

/** A store in which another owner's workflow with overlapping routes appears while the write is under way. */
const writeWithAnother = async (next: Workflow, undone: Workflow) => {
  const updates: [seen: Workflow, next: Workflow][] = [];
  let isWritten = false;
  const store = {
    findListeners: () => Promise.resolve([]),
    findKeyHolder: () => Promise.resolve(undefined),
    findOverlap: () => Promise.resolve(isWritten ? HOLDER : undefined),
    update: (seen: Workflow, changed: Workflow) => {
      updates.push([seen, changed]);
      return Promise.resolve('done' as const);
    },
  };
  const write = () => {
    isWritten = true;
    return Promise.resolve('done' as const);
  };
  await expect(writeRoutes(store, { next, undone, write })).rejects.toThrow(WebhookPathTaken);
  return updates;
};

describe('routes that overlap with those that another owner writes at the same moment', () => {
  it.each([
    ['a new workflow', { ...WORKFLOW, deletedAt: new Date(1) }],
    ['a changed workflow', withActivation(WORKFLOW, activationOf('before', 'other'))],
  ])('of %s are taken back and released, since a gateway may have resolved them', async (_, undone) => {
    const next = withActivation(WORKFLOW, activationOf('a', 'a/x'));
    const updates = await writeWithAnother(next, undone);
    expect(updates).toEqual([[next, { ...undone, routesRelease: expect.any(String) }]]);
  });
});
