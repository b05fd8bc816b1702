const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text and attribute values for HTML and XML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => names[sign]!);
}
