import { expect, test } from 'vitest';
import { textOf, writeMath } from './math-node.ts';
import { prepareFormula } from './prepare-formula.ts';
import { renderMath } from './render-math.ts';
import { writeOmml } from './write-omml.ts';

const none = new Map();
const render = (tex: string) => renderMath(tex, true, none)!;
const omml = (tex: string) => writeOmml(render(tex)).replace(/<w:rPr>.*?<\/w:rPr>|<m:rPr>.*?<\/m:rPr>/g, '');

test('subscripts in chemical formulas belong to their element', () => {
  expect(writeMath(render('\\ce{H3O+}'))).toContain('<msub><mi mathvariant="normal">H</mi><mn>3</mn></msub>');
  expect(omml('\\ce{H2}')).toMatch(/<m:sSub><m:e>.*H.*<\/m:e><m:sub>.*2.*<\/m:sub><\/m:sSub>/);
});

test('function names are spaced as in TeX', () => {
  const gaps = (tex: string) =>
    writeMath(render(tex))
      .replace(/<mspace width="0.1667em"><\/mspace>/g, '_')
      .replace(/<[^>]+>|\u2061/g, '');
  expect(gaps('x^2\\sin x+\\cos(y)')).toBe('x2_sin_x+cos(y)');
  expect(gaps('\\lim_{x\\to 0}\\frac{a}{b}=2\\log_2 n')).toBe('limx→0_ab=2_log2_n');
});

test('letters of other alphabets are characters, for readers without mathvariant', () => {
  expect(textOf(render('\\mathbb{R}\\mathcal{L}\\mathfrak{g}\\mathbf{x}'))).toBe('ℝℒ𝔤𝐱');
});

test('columns of a formula keep their alignment and lines; bars around a matrix stretch', () => {
  const math = writeMath(render('\\begin{array}{r|l}a&b\\end{array}\\begin{vmatrix}1\\end{vmatrix}'));
  expect(math).toMatch(
    /<mtd style="text-align: right;[^"]*">.*<mtd style="text-align: left;[^"]*border-left: 1px solid">/,
  );
  expect(math).toContain('<mo fence="true" stretchy="true" symmetric="true">|</mo>');
});

test('units and numbers as siunitx prints them', () => {
  expect(prepareFormula('\\SI{2.998e8}{\\metre\\per\\second}', none)).toBe(
    '{2.998\\times 10^{8}\\,\\mathrm{m}\\,\\mathrm{s}^{-1}}',
  );
  expect(prepareFormula('\\si{\\kilo\\gram\\metre\\squared\\per\\cubic\\second}', none)).toBe(
    '{\\mathrm{kg}\\,\\mathrm{m}^{2}\\,\\mathrm{s}^{-3}}',
  );
  expect(prepareFormula('\\ang{30;15}', none)).toBe("{30^\\circ15'}");
});

test('sums, integrals, roots, fractions, matrices and cases are native in Word', () => {
  const sum = omml('\\sum_{k=0}^n k=1');
  expect(sum).toContain('<m:chr m:val="∑"/><m:limLoc m:val="undOvr"/>');
  expect(sum).toMatch(/<m:e><m:r><m:t xml:space="preserve">k<\/m:t><\/m:r><\/m:e><\/m:nary>.*=.*1/);
  expect(omml('\\int_a^b x')).toContain('<m:chr m:val="∫"/><m:limLoc m:val="subSup"/>');
  expect(omml('\\sqrt[3]{x}')).toMatch(/<m:rad><m:deg>.*3.*<\/m:deg><m:e>.*x/);
  expect(omml('\\binom{n}{k}')).toContain('<m:type m:val="noBar"/>');
  expect(omml('\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}').match(/<m:mr>/g)).toHaveLength(2);
  expect(omml('f=\\begin{cases}1\\\\2\\end{cases}')).toContain('<m:begChr m:val="{"/><m:endChr m:val=""/>');
  expect(omml('\\hat x\\vec v\\overline{z}')).toMatch(/m:val="\u0302".*m:val="\u20d7".*<m:bar>/);
});

test('a formula KaTeX does not support returns nothing, and is shown as LaTeX', () => {
  expect(renderMath('\\unknowncommand{x}', false, none)).toBeNull();
  expect(renderMath('{', false, none)).toBeNull();
  expect(renderMath('x'.repeat(20_001), false, none)).toBeNull();
});
