/**
 * A product with an AI model, for the flows that need one, in addition to the two that every run starts, with
 * its own data folder. The model's answers are scripted (`test-support/stand-ins/vendor-stand-in.ts`);
 * everything else is real.
 */
import {
  startVendor,
  type VendorReply,
  type VendorRequest,
} from '../../../test-support/stand-ins/vendor-stand-in.ts';
import { createAccount, type main, signIn } from './accounts.ts';
import { startProduct } from './start-product.ts';

export type ModelScript = (request: VendorRequest) => VendorReply;

export interface ModelProduct {
  address: typeof main;
  /** Sets what the model answers from now on. */
  script: (script: ModelScript) => void;
  requests: VendorRequest[];
  close: () => Promise<void>;
}

export async function startModelProduct(): Promise<ModelProduct> {
  let script: ModelScript = () => ({ content: 'Nothing was scripted.' });
  const vendor = await startVendor((request) => script(request));
  try {
    const product = await startProduct({ AI_BASE_URL: vendor.url, AI_API_KEY: 'key' });
    return {
      address: product.address,
      script: (next) => {
        script = next;
      },
      requests: vendor.requests,
      close: async () => {
        await product.close();
        await vendor.close();
      },
    };
  } catch (error) {
    await vendor.close();
    throw error;
  }
}

/** An account with a saved document. */
export async function createWriter(
  address: typeof main,
  latex: string,
): Promise<{ email: string; token: string; documentId: string }> {
  const email = await createAccount({ address });
  const { access_token: token } = (await signIn(address, email)) as { access_token: string };
  const answer = await fetch(`${address.apiUrl}/api/v1/documents`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'Sums', latex }),
  });
  if (!answer.ok) throw new Error(`keeping a document answered ${answer.status}: ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  return { email, token, documentId: id };
}
