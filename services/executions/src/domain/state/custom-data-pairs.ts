/** The pairs of stored custom metadata as `name:value`, by which executions are found. */
export const customDataPairsOf = (customData: string): readonly string[] => {
  const value: unknown = JSON.parse(customData);
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, text]) => `${name}:${String(text)}`)
    : [];
};
