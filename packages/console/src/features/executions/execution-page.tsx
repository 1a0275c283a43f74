export const ExecutionPage = () => <p>…</p>;
