import type { Execution } from '@weft/client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { weft } from '../../api/client';
import { queryClient, useMay } from '../../api/queries';
import { Icon } from '../../ui/icon';
import { notify } from '../../ui/overlays/toast';
import { errorText } from '../../ui/values/format';
import { JsonTree } from '../../ui/values/json-tree';
import { Ago, At } from '../../ui/values/time';
import { type Approval, approvalsOf } from './approval-model';

/** Characters of the message to the model. */
const MAX_MESSAGE = 2_000;

type Decision = 'approve' | 'reject';

/** Decides about a call; the execution is read again in any case, as someone else may have been faster. */
const useDecide = (id: string, { run }: Approval) =>
  useMutation({
    mutationFn: ({ decision, message }: { decision: Decision; message: string }) =>
      weft.request('POST', '/executions/{id}/approvals/{run}', {
        path: { id, run },
        body: { decision, ...(message.trim() === '' ? {} : { message: message.trim() }) },
      }),
    onSuccess: (_, { decision }) => notify(decision === 'approve' ? 'The call is approved' : 'The call is rejected'),
    onError: (error) => notify('Could not decide', 'error', errorText(error)),
    onSettled: () => {
      for (const key of ['execution', 'stored-run']) void queryClient.invalidateQueries({ queryKey: [key, id] });
    },
  });

const Call = ({ id, approval }: { id: string; approval: Approval }) => {
  const { node, tool, input, requestedAt, expiresAt } = approval;
  const mayDecide = useMay('executions:write');
  const decide = useDecide(id, approval);
  const [message, setMessage] = useState('');
  const isDone = decide.isPending || decide.isSuccess;
  return (
    <section className="approval" aria-label={`Approval of ${node}`}>
      <p role="status">
        <span className="st waiting">
          <Icon name="waiting" />
          Approval
        </span>{' '}
        The model wants to call <b>{node}</b> (<code>{tool}</code>)
        {requestedAt !== undefined && (
          <span className="faint">
            {' '}
            <Ago at={requestedAt} />
          </span>
        )}
        {expiresAt !== undefined && (
          <span className="faint">
            , until <At at={expiresAt} />
          </span>
        )}
      </p>
      {input === undefined ? (
        <p className="soft">Its arguments are too long to be shown here.</p>
      ) : (
        <JsonTree value={input} label={`Arguments of ${node}`} />
      )}
      {mayDecide ? (
        <>
          <label className="fl">
            Message to the model <span className="faint">optional</span>
            <input
              className="tin"
              value={message}
              maxLength={MAX_MESSAGE}
              disabled={isDone}
              onChange={({ target }) => setMessage(target.value)}
            />
          </label>
          <p className="acts">
            <button
              type="button"
              className="btn primary"
              disabled={isDone}
              onClick={() => decide.mutate({ decision: 'approve', message })}
            >
              <Icon name="check" />
              Approve
            </button>
            <button
              type="button"
              className="btn"
              disabled={isDone}
              onClick={() => decide.mutate({ decision: 'reject', message })}
            >
              <Icon name="ban" />
              Reject
            </button>
          </p>
        </>
      ) : (
        <p className="soft">You may look at this execution, but not decide.</p>
      )}
    </section>
  );
};

/** Calls of tools that wait for a decision, with buttons that approve and reject them; renders nothing without any. */
export const Approvals = ({ execution }: { execution: Execution }) => {
  const { id, state } = execution;
  const before = useRef(state);
  useEffect(() => {
    // The stream says that the run waits; the execution says for what.
    if (state === 'waiting' && before.current !== state)
      void queryClient.invalidateQueries({ queryKey: ['execution', id] });
    before.current = state;
  }, [id, state]);
  const pending = state === 'waiting' ? approvalsOf(execution) : [];
  return pending.map((approval) => <Call key={approval.run} id={id} approval={approval} />);
};
