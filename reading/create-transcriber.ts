/** Chooses the reader: the requested one, else the vision model if one is configured, else the embedded reader. */
import { callLimitMs, openModel } from '#platform/ai/open-model.ts';
import type { VendorGate } from '#platform/ai/vendor-gate.ts';
import type { Env } from '#platform/env.ts';
import { invalidInput } from '#platform/errors.ts';
import type { ReaderId } from '#shared/api/reader.ts';
import { createEmbeddedTranscriber } from './embedded.ts';
import { openInkReader } from './ink/reader.ts';
import { createTextLayerReader } from './text-layer/reader.ts';
import type { Transcriber } from './transcriber.ts';
import { createVisionTranscriber, type VisionOptions } from './vision/reader.ts';

export type ReaderSettings = Partial<
  Pick<
    Env,
    'AI_PROVIDER' | 'AI_MODEL' | 'AI_BASE_URL' | 'AI_API_KEY' | 'AI_TIMEOUT_SECONDS' | 'AI_SECOND_LOOK'
  >
>;

/**
 * @param onInkFailure called with the reason when a handwritten page could not be read at all
 * @param gate of the model's vendor, if other callers share it
 * @param onUsage told what each call of the model took
 * @throws ApiError INVALID_INPUT if the vision model is requested but not configured
 */
export function createTranscriber(
  env: ReaderSettings,
  readerId?: ReaderId,
  onInkFailure?: (error: unknown) => void,
  gate?: VendorGate,
  onUsage?: VisionOptions['onUsage'],
): Transcriber {
  const model = readerId === 'embedded' ? null : openModel(env);
  if (model)
    return createVisionTranscriber({
      model,
      gate,
      onUsage,
      textLayer: createTextLayerReader(),
      ink: openInkReader(onInkFailure ? { onFailure: onInkFailure } : {}),
      timeoutMs: callLimitMs(env),
      looksAgain: env.AI_SECOND_LOOK === 'on',
    });
  if (readerId === 'vision-model')
    throw invalidInput(
      'No vision model is configured. Set AI_API_KEY (or AI_BASE_URL for a server of your own), or use the embedded reader.',
    );
  return createEmbeddedTranscriber({ ink: openInkReader(onInkFailure ? { onFailure: onInkFailure } : {}) });
}
