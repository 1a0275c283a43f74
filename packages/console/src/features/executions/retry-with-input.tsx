import type { Execution } from '@weft/client';
import { isJsonObject, type Json } from '@weft/node-catalogue/definitions';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { itemsQuery } from '../../api/queries';
import { TextArea } from '../../ui/forms/fields';
import { FormDialog } from '../../ui/forms/form';
import { Loading } from '../../ui/states';
import { memberOf } from '../../ui/values/json';

/** Items that are proposed; more would be hard to edit as text. */
const MAX_PROPOSED = 10;

const EMPTY = '[\n  { "json": {} }\n]';

/** The items with which the execution began, as text. */
const proposalOf = (items: readonly unknown[]): string => {
  const all = items.slice(0, MAX_PROPOSED).map((item) => ({ json: memberOf(item, 'json') }));
  return all.length === 0 || all.some(({ json }) => json === undefined) ? EMPTY : JSON.stringify(all, undefined, 2);
};

/** Reads items from text. @throws Error that says what is wrong */
const readItems = (text: string): readonly { readonly json: Readonly<Record<string, Json>> }[] => {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value) || value.length === 0) throw new Error('Use a list with at least one item.');
  return value.map((item: unknown, at) => {
    const json = memberOf(item, 'json');
    if (!isJsonObject(json)) throw new Error(`Item ${at + 1} needs an object "json".`);
    return { json };
  });
};

const ItemsForm = ({
  proposed,
  start,
  close,
}: {
  proposed: string;
  start: (input: ReturnType<typeof readItems>) => Promise<unknown>;
  close: () => void;
}) => {
  const [text, setText] = useState(proposed);
  return (
    <FormDialog
      title="Run again with other items"
      action="Run"
      close={close}
      submit={async () => {
        await start(readItems(text));
      }}
    >
      <TextArea
        name="input"
        label="Items of the start node"
        value={text}
        change={setText}
        rows={14}
        maxLength={1_000_000}
        hint="A list of items, each with its data under json. The version that ran begins with them at its start."
      />
    </FormDialog>
  );
};

/** Asks for the items with which a retry from the start begins; those of the execution are proposed. */
export const RetryWithInput = ({
  execution: { id },
  start,
  close,
}: {
  execution: Execution;
  start: (input: ReturnType<typeof readItems>) => Promise<unknown>;
  close: () => void;
}) => {
  const first = useQuery({ ...itemsQuery(id, 0, 0, 0), retry: false });
  if (first.isPending) return <Loading rows={1} label="Loading the items" />;
  return <ItemsForm proposed={proposalOf(first.data?.data ?? [])} start={start} close={close} />;
};
