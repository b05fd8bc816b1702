/** A vision model of an Ollama on this machine: found so that it can be offered, never used without consent. */
import { z } from 'zod';

/** Where Ollama listens by default. */
export const ollamaAddress = 'http://localhost:11434';
/** A server on this machine answers sooner than this. */
const timeoutMs = 1_500;
/** Models examined; few people have more. */
const maxModels = 30;

const Models = z.object({ models: z.array(z.object({ name: z.string() })) });
const Details = z.object({
  capabilities: z.array(z.string()).optional(),
  /** For releases that list no capabilities: what turns a text model into a vision model. */
  projector_info: z.record(z.string(), z.unknown()).optional(),
});

/** The name of its first vision model; null if there is none, or no Ollama. */
export async function findOllamaModel(address = ollamaAddress, waitMs = timeoutMs): Promise<string | null> {
  const signal = AbortSignal.timeout(waitMs);
  try {
    const { models } = Models.parse(await (await fetch(`${address}/api/tags`, { signal })).json());
    for (const { name } of models.slice(0, maxModels)) {
      const answer = await fetch(`${address}/api/show`, {
        method: 'POST',
        body: JSON.stringify({ model: name }),
        signal,
      });
      const details = Details.safeParse(await answer.json());
      if (details.data?.capabilities?.includes('vision') || details.data?.projector_info) return name;
    }
  } catch {
    // nobody listens there, or another program does
  }
  return null;
}

/** The line that offers it. */
export function offerOllama(model: string): string {
  return `Ollama runs here with ${model}, which can read pages, too: AI_BASE_URL=${ollamaAddress}/v1 AI_MODEL=${model} ./start`;
}
