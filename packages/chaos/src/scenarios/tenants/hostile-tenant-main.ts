import { startSink } from '../../environment/sink';
import { createApi } from '../../load/api';
import { endlessCalls } from '../../load/hostile-kinds';
import { makeHostileUser, storeWorkflows } from '../../load/store-workflows';
import { openAttack } from './attackers';
import { startCrowd } from './crowd';
import { HOSTILE_LOADS } from './hostile-loads';
import { keepRate } from '../keep-rate';
import { requestOf } from '../start-run';

/** Maximum starts of one kind in progress. */
const MAX_HOSTILE_CALLS = 200;

const main = async (): Promise<void> => {
  const { target, isOver, count, begun, ended } = openAttack();
  const sink = await startSink();
  const apiKey = await makeHostileUser(target);
  const api = createApi(target.baseUrls, apiKey);
  const stored = await storeWorkflows(
    api,
    HOSTILE_LOADS.map(({ kind }) => kind),
    true,
    sink.url,
  );
  const ids = new Map([...stored].map(([id, { kind }]) => [kind.name, id]));
  const endless = ids.get('endless') ?? '';
  await api.replace(endless, endlessCalls(endless));
  const crowd = startCrowd(target.baseUrls, MAX_HOSTILE_CALLS);
  begun();
  const loops = HOSTILE_LOADS.filter(({ everyMs }) => everyMs > 0).map(({ kind, everyMs }) =>
    keepRate({
      perSecond: 1_000 / everyMs,
      most: MAX_HOSTILE_CALLS,
      isOver,
      send: async (index) => {
        const request = requestOf(kind, index, `${kind.name}-${index}`, {
          apiKey,
          workflowIdOf: (name) => ids.get(name) ?? '',
        });
        const reply = await crowd.send(request);
        count(`${kind.name} ${reply.kind === 'broken' ? 'broken' : reply.status}`);
      },
    }),
  );
  await Promise.all(loops);
  // the sink stays until the process is killed: runs in progress call it
  ended();
};

void main();
