export interface Testimonial {
  /** Without quotation marks. */
  quote: string;
  name: string;
  /** The person's role, e.g. what they teach; empty if not given. */
  role: string;
}

/**
 * @param files what the build found, by path: nothing, or the one file `{"quote": …, "name": …, "role"?: …}`
 * @throws Error if the file has another shape, so that no build shows half a testimonial
 */
export function findTestimonial(files: Record<string, unknown>): Testimonial | null {
  const [file] = Object.entries(files);
  if (!file) return null;
  const [path, content] = file;
  if (typeof content === 'object' && content !== null && 'quote' in content && 'name' in content) {
    const { quote, name } = content;
    const role = 'role' in content ? content.role : '';
    if (isText(quote) && isText(name) && typeof role === 'string') return { quote, name, role };
  }
  throw new Error(`${path} needs a quote and a name, both text.`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
