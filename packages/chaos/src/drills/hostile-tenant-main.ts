import type { Stack } from '@weft/local-stack';
import { startSink } from '../ground/sink';
import { createApi } from '../load/api';
import { endlessCalls } from '../load/hostile-kinds';
import { makeHostileUser, storeWorkflows } from '../load/store-workflows';
import { startCrowd } from './crowd';
import { HARMS } from './harm';
import { keepRate } from './keep-rate';
import { requestOf } from './start-run';

/** The service that is attacked; the only argument of this process, as JSON. */
export type HostileTarget = Pick<Stack, 'baseUrls' | 'grpcTargets' | 'apiKey'>;

/** What this process says: that it has begun, and after `stop` what it was answered. */
export type HostileTenantMessage =
  { readonly kind: 'started' } | { readonly kind: 'stopped'; readonly counts: Readonly<Record<string, number>> };

/** Starts of one kind that are under way at most. */
const MAX_HARMS = 200;

const say = (message: HostileTenantMessage): void => void process.send?.(message);

const main = async (target: HostileTarget): Promise<void> => {
  const sink = await startSink();
  const apiKey = await makeHostileUser(target);
  const api = createApi(target.baseUrls, apiKey);
  const stored = await storeWorkflows(
    api,
    HARMS.map(({ kind }) => kind),
    true,
    sink.url,
  );
  const ids = new Map([...stored].map(([id, { kind }]) => [kind.name, id]));
  const endless = ids.get('endless') ?? '';
  await api.replace(endless, endlessCalls(endless));
  const crowd = startCrowd(target.baseUrls, MAX_HARMS);
  const counts: Record<string, number> = {};
  let isOver = false;
  process.once('message', () => (isOver = true));
  // a drill that fails does not stop it
  process.once('disconnect', () => process.exit(1));
  say({ kind: 'started' });
  const loops = HARMS.filter(({ everyMs }) => everyMs > 0).map(({ kind, everyMs }) =>
    keepRate({
      perSecond: 1_000 / everyMs,
      most: MAX_HARMS,
      isOver: () => isOver,
      send: async (index) => {
        const request = requestOf(kind, index, `${kind.name}-${index}`, {
          apiKey,
          workflowIdOf: (name) => ids.get(name) ?? '',
        });
        const reply = await crowd.send(request);
        const name = `${kind.name} ${reply.kind === 'broken' ? 'broken' : reply.status}`;
        counts[name] = (counts[name] ?? 0) + 1;
      },
    }),
  );
  await Promise.all(loops);
  // the sink stays until the process is ended: runs that are still under way call it
  say({ kind: 'stopped', counts });
};

void main(JSON.parse(process.argv[2] ?? ''));
