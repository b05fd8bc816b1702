/** Opens the configured model through the AI SDK: any vendor it knows, or any OpenAI-compatible address. */
import type { LanguageModel } from 'ai';
import type { Env } from '../env.ts';
import { loadLater } from '../load-later.ts';
import { fetchModel } from './fetch-model.ts';

export type AiProvider = NonNullable<Env['AI_PROVIDER']>;
export type AiSettings = Pick<Env, 'AI_PROVIDER' | 'AI_MODEL' | 'AI_BASE_URL' | 'AI_API_KEY'>;

/** Used if AI_MODEL is not set: each vendor's general model that reads images. */
const defaultModels: Record<AiProvider, string> = {
  openai: 'gpt-5',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-pro',
  'openai-compatible': 'default',
};

/** Infers the vendor from the settings: an address alone is OpenAI-compatible; keys have vendors' prefixes. */
export function chooseProvider(settings: AiSettings): AiProvider | null {
  if (settings.AI_PROVIDER) return settings.AI_PROVIDER;
  if (settings.AI_BASE_URL) return 'openai-compatible';
  if (!settings.AI_API_KEY) return null;
  if (settings.AI_API_KEY.startsWith('sk-ant-')) return 'anthropic';
  if (settings.AI_API_KEY.startsWith('AIza')) return 'google';
  return 'openai';
}

/** A model on a CPU needs minutes for a page, and the pages of a document queue for it. */
const ownServerSeconds = 3_600;

/** Limit of one call, in ms; undefined: none is set, and the vendor's models answer soon. */
export function callLimitMs(
  settings: Partial<Pick<Env, 'AI_TIMEOUT_SECONDS' | 'AI_BASE_URL'>>,
): number | undefined {
  const seconds = settings.AI_TIMEOUT_SECONDS ?? (settings.AI_BASE_URL ? ownServerSeconds : undefined);
  return seconds && seconds * 1_000;
}

/** The model, or null if neither a key nor an address is set. */
export function openModel(settings: AiSettings): LanguageModel | null {
  const provider = chooseProvider(settings);
  if (!provider || !(settings.AI_API_KEY || settings.AI_BASE_URL)) return null;
  const name = settings.AI_MODEL ?? defaultModels[provider];
  const common = {
    apiKey: settings.AI_API_KEY ?? 'none',
    fetch: fetchModel,
    ...(settings.AI_BASE_URL ? { baseURL: settings.AI_BASE_URL } : {}),
  };
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = loadLater('@ai-sdk/openai') as typeof import('@ai-sdk/openai');
      // openai(name) uses /responses, which other servers behind a base URL rarely know
      return settings.AI_BASE_URL ? createOpenAI(common).chat(name) : createOpenAI(common)(name);
    }
    case 'anthropic': {
      const { createAnthropic } = loadLater('@ai-sdk/anthropic') as typeof import('@ai-sdk/anthropic');
      return createAnthropic(common)(name);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = loadLater('@ai-sdk/google') as typeof import('@ai-sdk/google');
      return createGoogleGenerativeAI(common)(name);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = loadLater(
        '@ai-sdk/openai-compatible',
      ) as typeof import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: 'openai-compatible',
        baseURL: settings.AI_BASE_URL!,
        fetch: fetchModel,
        ...(settings.AI_API_KEY ? { apiKey: settings.AI_API_KEY } : {}),
        supportsStructuredOutputs: true,
      })(name);
    }
  }
}
