import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { executionQuery } from '../../../api/queries';
import { Icon } from '../../../ui/icon';
import { StateLabel } from '../../../ui/runs/run-state';
import { shortId } from '../../../ui/values/format';
import { Approvals } from '../../executions/approvals';
import { useEditor } from '../editor-context';
import { ChatReply, shownText } from './chat-reply';
import type { Exchange } from './chat-state';
import type { PendingReply } from './use-reply';

/** The execution of a message: a link to its page, and a button that shows its data in the editor. */
const Run = ({ id, outcome }: { id: string; outcome: Exchange['outcome'] }) => {
  const { source, setSource } = useEditor();
  return (
    <p className="chat-run">
      {outcome !== undefined && <StateLabel state={outcome.state} />}
      <Link className="lnk" to="/executions/$id" params={{ id }} search={{}} aria-label={`Execution ${shortId(id)}`}>
        Execution
      </Link>
      {source?.executionId !== id && (
        <button type="button" className="lnk" onClick={() => setSource(id)}>
          Show on the graph
        </button>
      )}
    </p>
  );
};

/** Calls of tools of a run that has not ended, which wait for a decision. */
const PendingApprovals = ({ id }: { id: string }) => {
  const execution = useQuery(executionQuery(id)).data;
  return execution === undefined ? null : <Approvals execution={execution} />;
};

/**
 * A message and its answer. Both are untrusted, and shown as text.
 * @param partial the answer as far as it has come
 * @param reply the reply that the run waits for
 */
export const ChatMessageView = ({
  exchange,
  partial,
  reply,
}: {
  exchange: Exchange;
  partial: string;
  reply: PendingReply | undefined;
}) => {
  const { text, files, executionId, outcome } = exchange;
  const isFailed = outcome !== undefined && outcome.state !== 'success';
  return (
    <li className="chat-exchange">
      <div className="chat-said own">
        <span className="sr">You: </span>
        {text !== '' && <p>{shownText(text)}</p>}
        {files.length > 0 && (
          <ul className="chat-files" aria-label="Files">
            {files.map((name, at) => (
              <li key={at} className="tag">
                <Icon name="attach" size={12} />
                <span className="clip">{name}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {reply === undefined ? (
        <div className={`chat-said${isFailed ? ' failed' : ''}`} aria-busy={outcome === undefined}>
          <span className="sr">Answer: </span>
          {outcome !== undefined ? (
            <p>{shownText(outcome.text)}</p>
          ) : partial !== '' ? (
            <p>{shownText(partial)}</p>
          ) : (
            <p className="st running">
              <Icon name="running" spin />
              Waiting for the answer
            </p>
          )}
        </div>
      ) : (
        <ChatReply reply={reply} />
      )}
      {executionId !== undefined && outcome === undefined && <PendingApprovals id={executionId} />}
      {executionId !== undefined && <Run id={executionId} outcome={outcome} />}
    </li>
  );
};
