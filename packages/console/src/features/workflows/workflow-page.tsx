export const WorkflowPage = () => <p>…</p>;
