import type { ModelFormat } from '../chat-model';
import { enforcesSchema } from './enforces-schema';
import type { Vendor } from './openai-chat/vendors';
import { versionIn } from './shared/model-version';

describe('the schema of an answer', () => {
  it.each<[ModelFormat, Vendor | undefined, string, boolean]>([
    ['openai-chat', undefined, 'gpt-4o-mini', true],
    ['openai-chat', 'openai', 'gpt-5.2', true],
    ['openai-chat', 'openai', 'o3-mini', true],
    ['openai-chat', 'openai', 'ft:gpt-4o-2024-08-06:acme::x', true],
    ['openai-chat', 'openai', 'gpt-4-turbo', false],
    ['openai-chat', 'openai', 'gpt-3.5-turbo', false],
    ['openai-chat', 'compatible', 'gpt-4o', false],
    ['openai-chat', 'azure', 'my-gpt-4o', false],
    ['openai-chat', 'openrouter', 'openai/gpt-4.1-mini', true],
    ['openai-chat', 'openrouter', 'anthropic/claude-sonnet-4.5', false],
    ['openai-chat', 'vercel', 'openai/gpt-4o', true],
    ['openai-chat', 'mistral', 'mistral-small', true],
    ['openai-chat', 'xai', 'grok-4', true],
    ['openai-chat', 'deepseek', 'deepseek-chat', false],
    ['openai-chat', 'groq', 'llama3-8b-8192', false],
    ['openai-responses', undefined, 'gpt-5-mini', true],
    ['openai-responses', undefined, 'gpt-4', false],
    ['gemini', undefined, 'models/gemini-2.5-flash', true],
    ['gemini', undefined, 'models/gemini-3-flash-preview', true],
    ['gemini', undefined, 'models/gemini-2.0-flash', false],
    ['anthropic', undefined, 'claude-sonnet-4-5-20250929', true],
    ['anthropic', undefined, 'claude-sonnet-5', true],
    ['anthropic', undefined, 'claude-3-7-sonnet-20250219', false],
    ['ollama', undefined, 'llama3.2', true],
  ])('is enforced with %s %s %s: %s', (format, vendor, model, wanted) => {
    const endpoint = { format, baseUrl: 'http://x', model, ...(vendor === undefined ? {} : { vendor }) };
    expect(enforcesSchema(endpoint)).toBe(wanted);
  });

  it('depends on the version in a name, which dates are not', () => {
    expect(
      ['claude-opus-4-7', 'claude-3-7-sonnet-20250219', 'claude-sonnet-4-20250514', 'gemini-2.5-flash', 'x'].map(
        versionIn,
      ),
    ).toEqual([4.7, 3.7, 4, 2.5, 0]);
  });
});
