import { JsonTree } from '../../../ui/json-tree';
import { useEditor } from '../editor-context';

/** The parameters of a node. */
export const NodeForm = ({ name }: { name: string }) => {
  const { document } = useEditor();
  const node = document.entries().find((entry) => entry.name === name);
  return (
    <div className="pbody">
      <JsonTree value={node?.json['parameters'] ?? {}} label="Parameters" />
    </div>
  );
};
