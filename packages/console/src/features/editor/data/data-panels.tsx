/** Input and output of a node. */
export const DataPanels = ({ name }: { name: string }) => (
  <p className="soft pad">Run the workflow to see the data of this node: {name}</p>
);
