import { CopyButton } from '../../../ui/values/copy';
import { At } from '../../../ui/values/time';
import { Icon } from '../../../ui/icon';
import { useFollowListening, useWaiting } from './listening';

const curlOf = (method: string, url: string): string =>
  method === 'GET' || method === 'HEAD'
    ? `curl '${url}'`
    : `curl -X ${method} '${url}' -H 'content-type: application/json' -d '{}'`;

/** What the editor waits for: the address to call, and until when. */
export const ListeningBar = () => {
  useFollowListening();
  const { waiting, stop } = useWaiting();
  if (waiting === undefined) return null;
  const { node, methods, url, until } = waiting;
  const [method = 'POST'] = methods;
  return (
    <div className="notice ed-notice listening" role="group" aria-label="Listening for a test call">
      <Icon name="webhook" />
      <span className="grow">
        <span role="status">
          Listening for one call of <b>{node}</b>
        </span>{' '}
        until <At at={until} />: send {methods.join(' or ')} to
        <code className="listen-url">{url}</code>
      </span>
      <CopyButton text={url} label="Copy the address" />
      <CopyButton text={curlOf(method, url)} label="Copy as curl" shown="curl" />
      <button type="button" className="btn sm" onClick={stop}>
        Stop listening
      </button>
    </div>
  );
};
