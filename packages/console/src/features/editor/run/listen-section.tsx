import type { NodeDefinition } from '@weft/node-catalogue/definitions';
import { Icon } from '../../../ui/icon';
import { kindOfNode } from '../../graph/kinds';
import { useListen, useMayListen, useWaiting } from './listening';

/** At the form of a webhook: waits for one call, and runs the draft with it. */
export const ListenSection = ({ node }: { node: NodeDefinition }) => {
  const mayListen = useMayListen();
  const listen = useListen();
  const { waiting, stop } = useWaiting();
  if (!mayListen || node.disabled === true || kindOfNode(node.type) !== 'webhook') return null;
  const isOwn = waiting?.node === node.name;
  return (
    <section className="listen" aria-label="Test call">
      <p className="soft">
        {isOwn
          ? 'The editor waits. The run of the call appears here.'
          : 'Wait for one call of the test address. It runs the draft with the data of the call, saved or not.'}
      </p>
      {isOwn ? (
        <button type="button" className="btn sm" onClick={stop}>
          Stop listening
        </button>
      ) : (
        <button type="button" className="btn sm" disabled={listen.isPending} onClick={() => listen.mutate(node.name)}>
          <Icon name="webhook" />
          Listen for a test call
        </button>
      )}
    </section>
  );
};
