import { Tabs } from '@base-ui/react/tabs';
import { descriptorAmong, type KindDescriptor, type NodeDefinition } from '@weft/node-catalogue/definitions';
import { type NodeForm as Form, prettyJson, readForm } from '@weft/workflow-edit/form';
import { useEffect, useMemo } from 'react';
import { plural } from '../../../ui/values/format';
import { Icon } from '../../../ui/icon';
import { useEditor } from '../editor-context';
import { kindTable } from '../operations/kind-table';
import { loadExpressionEditor } from '../expression/load-editor';
import { PreviewProvider } from '../expression/preview-provider';
import { About } from './about';
import { Credentials } from './credentials';
import { FieldRow } from './field-row';
import { NodeEditsProvider, useNodeEdits } from './form-context';
import { ItemBar } from './item-bar';
import { JsonEditor } from './json-control';
import { NodeSettings } from './node-settings';
import { FormNodeContext } from './options/options-source';
import { Others } from './others';

const Problems = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <span className="st error">
      <Icon name="error" size={12} />
      <span className="sr">{plural(count, 'problem')}</span>
    </span>
  );

const Parameters = ({ node, kind, form }: { node: NodeDefinition; kind: KindDescriptor; form: Form }) => (
  <>
    <ItemBar />
    <Credentials node={node} kind={kind} errors={form.errors} />
    {form.fields.map((field) => (
      <FieldRow key={field.key} field={field} />
    ))}
    {form.fields.length === 0 && <p className="soft">This node has no parameters.</p>}
    <Others values={form.others} title="Other" />
  </>
);

/** A node of a kind that this server does not have: its parameters as JSON. */
const Unknown = ({ node }: { node: NodeDefinition }) => (
  <>
    <p className="st waiting wraps">
      <Icon name="alert" />
      <span>This server has no kind of node called {node.type}. The workflow can be saved, but not run.</span>
    </p>
    <JsonEditor path={[]} label="Parameters" text={prettyJson(node.parameters)} />
  </>
);

const Content = ({ node, kind }: { node: NodeDefinition; kind: KindDescriptor | undefined }) => {
  const edits = useNodeEdits(node.name);
  const form = useMemo(() => (kind === undefined ? undefined : readForm(node, kind)), [node, kind]);
  const formNode = useMemo(() => (kind === undefined ? undefined : { node, kind }), [node, kind]);
  useEffect(() => void loadExpressionEditor(), []);
  return (
    <NodeEditsProvider value={edits}>
      <Tabs.Root defaultValue="parameters" className="inspect" onFocus={edits.endTyping}>
        <Tabs.List className="tabs" aria-label="Node">
          <Tabs.Tab value="parameters">
            Parameters <Problems count={form?.errors.size ?? 0} />
          </Tabs.Tab>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="about">About</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="parameters" className="pbody nform" tabIndex={-1}>
          <fieldset disabled={edits.isReadOnly}>
            {kind === undefined || form === undefined ? (
              <Unknown node={node} />
            ) : (
              <FormNodeContext value={formNode}>
                <Parameters node={node} kind={kind} form={form} />
              </FormNodeContext>
            )}
          </fieldset>
        </Tabs.Panel>
        <Tabs.Panel value="settings" className="pbody nform" tabIndex={-1}>
          <fieldset disabled={edits.isReadOnly}>
            <NodeSettings node={node} />
          </fieldset>
        </Tabs.Panel>
        <Tabs.Panel value="about" className="pbody nform" tabIndex={-1}>
          <About node={node} kind={kind} />
        </Tabs.Panel>
      </Tabs.Root>
    </NodeEditsProvider>
  );
};

/** The form of a node: parameters, settings, and what its kind does. */
export const NodeForm = ({ name }: { name: string }) => {
  const { document, kinds } = useEditor();
  const node = document.definition.nodes.find((one) => one.name === name);
  if (node === undefined) return <p className="soft pad">The workflow has no node of this name.</p>;
  return (
    <PreviewProvider name={name}>
      <Content key={name} node={node} kind={descriptorAmong(node, kindTable(kinds))} />
    </PreviewProvider>
  );
};
