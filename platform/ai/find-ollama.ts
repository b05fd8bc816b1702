/** A vision model of an Ollama on this machine: noticed so that it can be offered, never used unasked. */
import { z } from 'zod';

/** Where Ollama listens unless told otherwise. */
export const ollamaAddress = 'http://localhost:11434';
/** A server of this machine answers sooner. */
const patienceMs = 1_500;
/** Models looked at; few people have more. */
const mostModels = 30;

const Models = z.object({ models: z.array(z.object({ name: z.string() })) });
const Details = z.object({
  capabilities: z.array(z.string()).optional(),
  /** Of releases that name no capabilities: what makes vision of text. */
  projector_info: z.record(z.string(), z.unknown()).optional(),
});

/** The name of the first model there that sees; null if there is none, or no Ollama. */
export async function findOllamaModel(address = ollamaAddress, waitMs = patienceMs): Promise<string | null> {
  const signal = AbortSignal.timeout(waitMs);
  try {
    const { models } = Models.parse(await (await fetch(`${address}/api/tags`, { signal })).json());
    for (const { name } of models.slice(0, mostModels)) {
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
