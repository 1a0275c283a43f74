import { Autocomplete } from '@base-ui/react/autocomplete';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useRef, useState } from 'react';
import { weft } from '../api/client';
import { Modal } from '../ui/overlays/dialog';
import { useMay } from '../api/queries';
import { Icon, type IconName } from '../ui/icon';
import { useStore } from '../ui/store';
import { createEmptyWorkflow } from '../features/import/create-workflow';
import { errorText } from '../ui/values/format';
import { notify } from '../ui/overlays/toast';
import { openNodes } from './open-nodes';
import { usePlaces } from './places';
import { router } from './router';
import { signOut } from './sign-out';

interface Entry {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: IconName;
  readonly open: () => void;
}

const command = (label: string, hint: string, icon: IconName, open: () => void): Entry => ({
  value: `command ${label}`,
  label,
  hint,
  icon,
  open,
});

const FIXED: readonly Entry[] = [
  command('Failed executions of the last day', 'Go to', 'error', () => {
    void router.navigate({ to: '/executions', search: { status: 'error', period: '24h' } });
  }),
  command('New credential', 'Create', 'key', () => void router.navigate({ to: '/credentials/new', search: {} })),
  command('Account', 'Go to', 'settings', () => void router.navigate({ to: '/account' })),
  command('API reference', 'Go to', 'file', () => location.assign('/docs/')),
  command('Sign out', 'Account', 'signOut', () => {
    void signOut().catch((error: unknown) => notify('You are still signed in', 'error', errorText(error)));
  }),
];

const NEW_WORKFLOW = command('New workflow', 'Create', 'workflow', () => {
  void createEmptyWorkflow().catch((error: unknown) =>
    notify('Could not create a workflow', 'error', errorText(error)),
  );
});

/** Nodes that are listed; more are found by typing. */
const MAX_NODES = 8;

/** Nodes of the open workflow with this name. */
const useNodes = (text: string): readonly Entry[] => {
  const open = useStore(openNodes);
  if (open === undefined || text === '') return [];
  return open.names
    .filter((name) => name.toLowerCase().includes(text.toLowerCase()))
    .slice(0, MAX_NODES)
    .map((name) => ({ value: `node ${name}`, label: name, hint: 'Node', icon: 'box', open: () => open.open(name) }));
};

/** Screens that the caller may open, and other commands. */
const useCommands = (): readonly Entry[] => [
  ...(useMay('workflows:write') ? [NEW_WORKFLOW] : []),
  ...usePlaces()
    .flatMap(({ places }) => places)
    .map(({ to, label, icon }) => command(label, 'Go to', icon, () => void router.navigate({ to }))),
  ...FIXED,
];

const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text);

/** Entries for a text: an execution with this id, nodes and workflows with this name, commands. */
const useEntries = (text: string): readonly Entry[] => {
  const found = useQuery({
    queryKey: ['search', text],
    enabled: text !== '' && !isId(text),
    queryFn: async ({ signal }) =>
      (await weft.call('listWorkflows', { query: { search: text, summary: true, limit: 8 }, signal })).data,
  });
  const workflows = (text === '' ? [] : (found.data ?? [])).map(({ id, name }): Entry => ({
    value: `workflow ${id}`,
    label: name,
    hint: 'Workflow',
    icon: 'workflow',
    open: () => void router.navigate({ to: '/workflows/$id', params: { id } }),
  }));
  const execution: readonly Entry[] = isId(text)
    ? [
        {
          value: `execution ${text}`,
          label: text,
          hint: 'Execution',
          icon: 'runs',
          open: () => void router.navigate({ to: '/executions/$id', params: { id: text }, search: {} }),
        },
      ]
    : [];
  const commands = useCommands().filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
  const nodes = useNodes(text);
  const isFirst = ({ label }: Entry): boolean => text !== '' && label.toLowerCase().startsWith(text.toLowerCase());
  return [
    ...execution,
    ...nodes,
    ...commands.filter(isFirst),
    ...workflows,
    ...commands.filter((entry) => !isFirst(entry)),
  ];
};

/** Search over workflows, executions by id, nodes of the open workflow and commands. */
export const SearchDialog = ({ close }: { close: () => void }) => {
  const [text, setText] = useState('');
  const entries = useEntries(useDeferredValue(text.trim()));
  const leaves = useRef(false);
  // The element that had the focus before goes with its page.
  const finalFocus = (): HTMLElement | null => (leaves.current ? document.getElementById('main') : null);
  return (
    <Modal title="Search" close={close} isBare className="finder" finalFocus={finalFocus}>
      <Autocomplete.Root
        inline
        open
        items={entries}
        filter={null}
        autoHighlight="always"
        value={text}
        onValueChange={setText}
        itemToStringValue={({ label }: Entry) => label}
      >
        <span className="field">
          <Icon name="search" />
          <Autocomplete.Input
            aria-label="Search workflows, executions and commands"
            placeholder="Name of a workflow, or id of an execution"
          />
        </span>
        <Autocomplete.List className="found">
          {(entry: Entry) => (
            <Autocomplete.Item
              key={entry.value}
              value={entry}
              onClick={() => {
                leaves.current = !entry.value.startsWith('node ');
                close();
                entry.open();
              }}
            >
              <Icon name={entry.icon} />
              <span className="grow clip">{entry.label}</span>
              <span className="faint">{entry.hint}</span>
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
        <Autocomplete.Empty className="soft">Nothing found.</Autocomplete.Empty>
      </Autocomplete.Root>
    </Modal>
  );
};
