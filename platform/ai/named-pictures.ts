/**
 * A picture goes by a short name until its request is sent: the AI SDK turns each request into JSON twice, which
 * took a quarter of the CPU that a page costs the server (docs/decisions/146-the-first-question-first.md).
 */
import { randomBytes } from 'node:crypto';
import type { FilePart, ModelMessage } from 'ai';

// both multiples of three bytes, so that a name is the same in Base64 wherever it stands
const prefix = Buffer.from('inkproof image:');
const secretBytes = 24;
const namePattern = new RegExp(`${prefix.toString('base64')}[A-Za-z0-9+/]{${(secretBytes / 3) * 4}}`, 'g');
/** By their names in Base64, which nobody can guess. */
const pictures = new Map<string, Uint8Array>();

/** Calls `use` with messages whose pictures are names; those hold until it ends. */
export async function withNamedPictures<T>(
  messages: readonly ModelMessage[],
  use: (messages: ModelMessage[]) => Promise<T>,
): Promise<T> {
  const names: string[] = [];
  const name = (part: FilePart): FilePart => {
    if (!(part.data instanceof Uint8Array)) return part;
    const data = Buffer.concat([prefix, randomBytes(secretBytes)]);
    names.push(data.toString('base64'));
    pictures.set(names.at(-1)!, part.data);
    return { ...part, data };
  };
  try {
    return await use(
      messages.map((message) =>
        message.role === 'user' && typeof message.content !== 'string'
          ? { ...message, content: message.content.map((part) => (part.type === 'file' ? name(part) : part)) }
          : message,
      ),
    );
  } finally {
    for (const each of names) pictures.delete(each);
  }
}

/** A request's body with the pictures in place of their names, in pieces: a page's picture is not copied again. */
export function fillInPictures(body: string): { text: string; encoding: 'utf8' | 'latin1' }[] {
  const pieces: ReturnType<typeof fillInPictures> = [];
  let from = 0;
  for (const { 0: name, index } of body.matchAll(namePattern)) {
    const picture = pictures.get(name);
    if (!picture) continue;
    const base64 = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength).toString('base64');
    pieces.push({ text: body.slice(from, index), encoding: 'utf8' }, { text: base64, encoding: 'latin1' });
    from = index + name.length;
  }
  return [...pieces, { text: body.slice(from), encoding: 'utf8' }];
}
