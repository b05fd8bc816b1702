/** TeX's encoding by a font's name: family, weight, shape. */
import type { FontFace, MathFamily } from '../model.ts';

const familyPatterns: [RegExp, MathFamily][] = [
  [
    /^(CMMIB?|LMMathItalic|PLMathItalic|MathItalic|eurm|zeurm|txmi|pxmi|NewTXMI|NewPXMI|ntxmi|npxmi|fourier-ml|MTMI|rtxmi|rpxmi)/i,
    'letters',
  ],
  [/^(CMB?SY|LMMathSymbols|PLMathSymbols|txsy(?!a|b|c)|pxsy(?!a|b|c)|ntxsy|npxsy|eusy)/i, 'symbols'],
  [
    /^(CMEX|LMMathExtension|PLMathExtension|txex(?!a)|pxex(?!a)|ntxexx|npxexx|euex|yhcmex|esint)/i,
    'extension',
  ],
  [/^(MSAM|MSBM|txsy[abc]|pxsy[abc]|ntxsy[abc]|dsrom|bbm|bbold|stmary|wasy|txmia)/i, 'ams'],
  [/^(EUFM|EUFB)/i, 'fraktur'],
  [/^(EUSM|EUSB|RSFS|rsfso|pzcmi|dutchcal|BOONDOX)/i, 'script'],
  [/Math/i, 'unicode'],
  [/^(Symbol|SymbolMT|StandardSym|MT-?Extra|EuclidSymbol|Euclid-?Extra)/i, 'unicode'],
];

/** `postScriptName` as the PDF has it, with or without a subset tag. */
export function describeFont(postScriptName: string, id: string): FontFace {
  const name = postScriptName.replace(/^[A-Z]{6}\+/, '');
  const family = familyPatterns.find(([pattern]) => pattern.test(name))?.[1] ?? 'none';
  const isTextFace = family === 'none';
  return {
    name,
    id,
    family,
    bold: /bold|black|heavy|semibold|^(CM|SF)BX|^CMB\d|^CMMIB|^CMBSY|^CMSSBX|^EUFB|Demi|-Medi(?!um)|-?Bd\b|^LMRomanDemi|^ec(bx|bi)|^SF(BX|BI|XC|SX|SO)|^ecs[xo]/i.test(
      name,
    ),
    italic: isTextFace
      ? /ital|obli|slant|^CMTI|^CMSL|^CMBXTI|^CMBXSL|^CMSSI|^CMU.*(TI|SL)|^SF(TI|SL|BI|SI|SO)|-It\b|^CMITT|^SF(?:IT|ST)|^ec(ti|sl|bi|it|st)/i.test(
          name,
        )
      : family === 'letters',
    mono: /mono|typewriter|courier|consol|^CM(?:SL|I)?TT|^SF(?:TT|IT|ST)|^LMTT|^ec(?:tt|it|st)|inconsolata|menlo|lucida.*console|sourcecode|-TT|^txtt/i.test(
      name,
    ),
    sans: /sans|^CMSS|^SFS[SXOI]|^ecs[sxoi]|helvet|arial|calibri|verdana|heros|^LMSans/i.test(name),
    smallCaps: /caps|^CMCSC|^SFCC|^SFXC|^eccc|smcp|-?sc\b/i.test(name) && isTextFace,
  };
}
