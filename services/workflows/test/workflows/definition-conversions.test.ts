import { node, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

/** A string that only the definition under test has. */
const MARK = 'conversions-of-this-definition';

describe('the JSON of a definition', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  /** True for the text of the whole definition; the hash takes its strings one by one. */
  const isDefinition = (text: unknown): boolean =>
    typeof text === 'string' && text.includes(MARK) && text.includes('nodes');

  /** Counts how often the definition is parsed and serialized during a call. */
  const conversionsIn = async (call: () => Promise<unknown>): Promise<{ parsed: number; made: number }> => {
    const parse = jest.spyOn(JSON, 'parse');
    const stringify = jest.spyOn(JSON, 'stringify');
    await call();
    const counted = {
      parsed: parse.mock.calls.filter(([text]) => isDefinition(text)).length,
      made: stringify.mock.results.filter(({ value }) => isDefinition(value)).length,
    };
    jest.restoreAllMocks();
    return counted;
  };

  it('is parsed once when it is stored, never serialized, and neither when it is read', async () => {
    const editor = service.as('u1', 'editor');
    // Complete: missing ids and type versions would be added.
    const definition = Buffer.from(
      JSON.stringify({
        name: MARK,
        nodes: [{ ...node('Set', 'set'), id: 'set', typeVersion: 3.4, position: [0, 0] }],
        connections: {},
        settings: {},
      }),
    );
    const stored = { ...workflowOf([]), definition };
    const { workflow } = await service.gateway.createWorkflow(stored, editor);
    const workflowId = workflow?.id ?? '';
    expect(
      await conversionsIn(() =>
        service.gateway.replaceWorkflow({ workflowId, definition, ifVersionId: '', ifEtags: [] }, editor),
      ),
    ).toEqual({ parsed: 1, made: 0 });
    expect(await conversionsIn(() => service.gateway.getWorkflow({ workflowId, knownEtags: [] }, editor))).toEqual({
      parsed: 0,
      made: 0,
    });
  });
});
