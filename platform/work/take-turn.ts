/** A turn in a fair queue, with refusals as errors of the catalogue. */
import { ApiError } from '../errors.ts';
import type { FairQueue } from './fair-queue.ts';

export interface Turn {
  /** Whose turn it is, as returned by `queueOwner`. */
  owner: string;
  signal: AbortSignal;
  /** What to say if too many of this owner, or of its network, are waiting. */
  refusal: string;
}

/** @throws ApiError BUSY if too many wait; TOO_MANY_REQUESTS if they are this owner's; what the work throws */
export async function takeTurn<T>(
  queue: FairQueue,
  { owner, signal, refusal }: Turn,
  work: () => Promise<T>,
): Promise<T> {
  const admission = await queue.run(owner, signal, work);
  switch (admission.kind) {
    case 'ran':
      return admission.value;
    case 'cancelled':
      throw new ApiError('BUSY', { message: 'The call was cancelled.', retryAfterSeconds: 1 });
    case 'full':
      throw new ApiError(admission.isOwnShare ? 'TOO_MANY_REQUESTS' : 'BUSY', {
        message: admission.isOwnShare ? refusal : 'The server is busy. Please try again in a moment.',
        retryAfterSeconds: admission.retryAfterSeconds,
      });
  }
}
