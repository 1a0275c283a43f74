/** Filters of the list of workflows in its address. */
export interface WorkflowSearch {
  readonly q?: string | undefined;
  readonly active?: 'yes' | 'no' | undefined;
  readonly project?: string | undefined;
}

const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= 200 ? text : undefined;
};

/** Reads the filters; unknown ones are left out. */
export const readWorkflowSearch = (search: Record<string, unknown>): WorkflowSearch => {
  const active = search['active'];
  return {
    q: textOf(search['q']),
    active: active === 'yes' || active === 'no' ? active : undefined,
    project: textOf(search['project']),
  };
};
