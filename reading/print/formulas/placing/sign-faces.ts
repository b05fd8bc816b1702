/**
 * Maps each kind of sign to the Computer Modern face by which the formula parser knows it, with the meaning of its
 * size.
 */
import type { FontFace, GlyphRole, MathFamily } from '../../../text-layer/model.ts';

/** An operator this tall (in x-heights) is set in display size. */
const tallOperator = 2.75;
const tallIntegral = 3.8;

const face = (name: string, family: MathFamily, style: Partial<FontFace> = {}): FontFace => ({
  name,
  id: name,
  family,
  bold: false,
  italic: false,
  mono: false,
  sans: false,
  smallCaps: false,
  ...style,
});
const extension = face('CMEX10', 'extension');
const faces: Record<string, FontFace> = {
  italic: face('CMMI10', 'letters', { italic: true }),
  roman: face('CMR10', 'none'),
  // in the same face as words, but not part of them
  mark: face('CMR10-marks', 'none'),
  bold: face('CMBX10', 'none', { bold: true }),
  boldItalic: face('CMMIB10', 'letters', { bold: true, italic: true }),
  blackboard: face('MSBM10', 'ams'),
  calligraphic: face('CMSY10', 'symbols'),
  fraktur: face('EUFM10', 'fraktur'),
  symbol: face('CMSY10', 'symbols'),
  accent: face('CMMI10', 'letters', { italic: true }),
  delimiter: face('CMSY10', 'symbols'),
  large: extension,
  radical: face('CMSY10', 'symbols'),
  brace: extension,
};
/** Signs that are in Computer Modern's text face. */
const ofText = /^[()[\]=+,.;:!?%&]$/;
const greekItalic = /^[α-ωϑϕϖϱϵ∂ℓ]$/;

export function roleOf(kind: string, text: string, height: number): GlyphRole {
  if (kind === 'brace') return text === '⏞' ? 'brace-over' : 'brace-under';
  if (kind !== 'large') return 'plain';
  return height > ('∫∬∮'.includes(text) ? tallIntegral : tallOperator) ? 'operator-display' : 'operator-text';
}

export function fontOf(kind: string, text: string, isAnySize: boolean, isBold = false): FontFace {
  if (isBold) return kind === 'roman' ? faces.bold! : faces.boldItalic!;
  if (kind === 'delimiter' && isAnySize) return extension;
  if ((kind === 'symbol' || kind === 'delimiter') && ofText.test(text)) return faces.mark!;
  if (kind === 'symbol' && greekItalic.test(text)) return faces.italic!;
  if (kind === 'accent' && /^[\u0302\u0303]$/.test(text)) return extension;
  return faces[kind] ?? faces.symbol!;
}
