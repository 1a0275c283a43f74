import type { Backfill as StoredBackfill } from '@weft/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { weft } from '../../api/client';
import { queryClient } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { Modal } from '../../ui/overlays/dialog';
import { errorText, formatCount, plural } from '../../ui/values/format';
import { TextField } from '../../ui/forms/fields';
import { Form } from '../../ui/forms/form';
import { At } from '../../ui/values/time';
import { notify } from '../../ui/overlays/toast';

const backfillsQuery = (id: string) =>
  queryOptions({
    queryKey: ['backfills', id],
    queryFn: async ({ signal }) => (await weft.call('listBackfills', { path: { id }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === 'running') === true ? 2_000 : false),
  });

/** A time of the browser's time zone in ISO 8601. @throws Error */
const instantOf = (text: string, name: string): string => {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new Error(`${name} must be a date and time.`);
  return time.toISOString();
};

const cancel = async ({ id, workflowId }: StoredBackfill): Promise<void> => {
  try {
    await weft.call('cancelBackfill', { path: { id } });
    notify('The backfill is cancelled');
  } catch (error) {
    notify('Could not cancel', 'error', errorText(error));
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['backfills', workflowId] });
  }
};

const Past = ({ id }: { id: string }) => {
  const { data = [] } = useQuery(backfillsQuery(id));
  if (data.length === 0) return null;
  return (
    <>
      <h3>Last backfills</h3>
      <ul className="namelist plainlist">
        {data.slice(0, 5).map((one) => (
          <li key={one.id} className="line">
            <span className="grow">
              {one.state}: {formatCount(one.started)} of {formatCount(one.total)} started
              {one.from !== null && (
                <span className="faint">
                  {' '}
                  from <At at={one.from} />
                </span>
              )}
            </span>
            {one.state === 'running' && (
              <button type="button" className="btn sm" onClick={() => void cancel(one)}>
                Cancel
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
};

/** Runs due times of the past: counts them first. */
export const Backfill = ({
  workflow: { id, name },
  close,
}: {
  workflow: { readonly id: string; readonly name: string };
  close: () => void;
}) => {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [count, setCount] = useState<number>();
  const period = () => ({ from: instantOf(from, 'From'), to: instantOf(to, 'To') });
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    setCount(undefined);
  };
  const submit = async (): Promise<void> => {
    if (count === undefined) {
      const { data } = await weft.call('startBackfill', { path: { id }, body: { ...period(), dryRun: true } });
      setCount(data.total);
      return;
    }
    await weft.call('startBackfill', { path: { id }, body: period(), headers: onceOnly() });
    notify(`The backfill of ${name} has started`);
    setCount(undefined);
    await queryClient.invalidateQueries({ queryKey: ['backfills', id] });
  };
  return (
    <Modal title={`Backfill ${name}`} close={close}>
      <Form
        action={count === undefined ? 'Count due times' : `Run ${plural(count, 'due time')}`}
        submit={submit}
        cancel={close}
        isDisabled={count === 0}
      >
        <p className="soft">Each due time of the period runs once, in the background.</p>
        <TextField
          name="from"
          label="From, in your time zone"
          type="datetime-local"
          value={from}
          change={change(setFrom)}
          isRequired
        />
        <TextField
          name="to"
          label="To, not included"
          type="datetime-local"
          value={to}
          change={change(setTo)}
          isRequired
        />
        <p role="status">
          {count !== undefined &&
            (count === 0 ? 'No due time is in this period.' : `${plural(count, 'due time')} found.`)}
        </p>
      </Form>
      <Past id={id} />
    </Modal>
  );
};
