/**
 * Commands: those that open, close or separate are passed to the visitor of that structure; the rest are repaired here
 * where TeX does not allow them (a caption outside a float, a rule outside a table, a symbol outside a formula).
 */
import {
  captionedEnvironments,
  commandArguments,
  headingLevels,
  listEnvironments,
  runInLevel,
  structuralCommands,
} from '#latex/source/commands.ts';
import { readGroup, skipSpace } from '#latex/source/matches.ts';
import type { Token } from '#latex/source/scan.ts';
import { isMathCommand, mathRunStart } from '../math-run.ts';
import { beginAtom, fillArguments, visitDelimiter } from './atoms.ts';
import { visitLineBreak } from './environments.ts';
import { closeFormula } from './formulas.ts';
import { isDisplay, isFormula } from './frames.ts';
import { needItem, visitItem } from './items.ts';
import type { StructurePass } from './structure-pass.ts';

const rules = /^(hline|toprule|midrule|bottomrule|cline|cmidrule)$/;

/** Visits any command; afterwards the pass expects its arguments. */
export function visitCommand(pass: StructurePass, index: number, token: Token): void {
  const { name } = token;
  const frame = pass.top;
  const next = pass.tokens[skipSpace(pass.tokens, index + 1)];
  pass.forget();
  pass.owner = name;
  pass.pending = [...commandArguments(name)];
  pass.canTakeOptional =
    pass.pending.length > 0 ||
    /^(sqrt|item|\\|includegraphics|draw|node|footnote|caption|usepackage)$/.test(name);
  if (frame.mode === 'raw') {
    // An unclosed raw argument ends with its formula.
    if (name === ']' && !frame.isMatched) closeFormula(pass, 'bracket', token);
    if (name === ')' && !frame.isMatched) closeFormula(pass, 'paren', token);
    return;
  }
  switch (name) {
    case '[':
      if (frame.mode === 'math') pass.replace(token, '');
      else {
        needItem(pass, token);
        pass.push('bracket', '', 'math', index);
      }
      return;
    case ']':
      closeFormula(pass, 'bracket', token);
      return;
    case '(':
      if (frame.mode === 'math') pass.replace(token, '');
      else {
        needItem(pass, token);
        pass.push('paren', '', 'math', index);
      }
      return;
    case ')':
      closeFormula(pass, 'paren', token);
      return;
    case '\\':
      visitLineBreak(pass, index, token);
      return;
    case 'begin':
    case 'end':
    case 'noalign':
    case 'omit':
    case 'verb':
    case 'verb*':
      // Without a name or a delimiter TeX cannot read it.
      pass.replace(token, '');
      return;
    case 'left':
    case 'right':
    case 'middle':
      visitDelimiter(pass, index, token, next);
      return;
    case 'item':
      visitItem(pass, index, token);
      return;
    case 'notag':
    case 'nonumber':
      if (frame.mode === 'text') pass.replace(token, '');
      return;
    case 'tag':
      if (pass.find(isDisplay) < 0) pass.replace(token, '');
      return;
    case 'label': {
      const equation = pass.find((one) => one.kind === 'environment');
      const owner = pass.stack[equation];
      if (owner && /^equation\*?$/.test(owner.name)) {
        const group = readGroup(pass.tokens, index + 1);
        if (owner.hasLabel && group) {
          pass.splices.push({ start: token.start, end: pass.tokens[group.close]!.end, text: '' });
        }
        owner.hasLabel = true;
      }
      return;
    }
    case 'caption':
    case 'caption*':
      if (pass.find((one) => one.kind === 'environment' && captionedEnvironments.has(one.name)) < 0) {
        pass.replace(token, '\\captionof{figure}');
      }
      return;
  }
  if (structuralCommands.has(name)) visitStructural(pass, index, token);
  if (rules.test(name) && pass.cell() < 0) {
    const group = name === 'cline' || name === 'cmidrule' ? readGroup(pass.tokens, index + 1) : null;
    const end = group ? pass.tokens[group.close]!.end : token.end;
    const rule = frame.mode === 'text' ? '\\noindent\\rule{\\linewidth}{0.4pt}' : '';
    pass.splices.push({ start: token.start, end, text: rule });
    return;
  }
  if (name === 'multicolumn') {
    const height = pass.cell();
    const group = readGroup(pass.tokens, index + 1);
    if (height < 0 && group) {
      // Outside a table only the content matters.
      const format = readGroup(pass.tokens, group.close + 1);
      const end = pass.tokens[(format ?? group).close]!.end;
      pass.splices.push({ start: token.start, end, text: '' });
      return;
    }
    const columns = pass.stack[height]?.columns;
    const span = group ? Number(pass.text.slice(group.start, group.end)) : 1;
    if (columns && Number.isInteger(span) && span > 1 && span < 50) columns.row += span - 1;
    return;
  }
  if (
    !/^(setlength|setcounter|itemsep|setlist|small|footnotesize|large|normalsize|addtolength|parskip|parsep|topsep|renewcommand|newcommand|def|raggedright|centering|label|providecommand|itemindent|leftskip)$/.test(
      name,
    )
  ) {
    needItem(pass, token);
  }
  if (frame.mode === 'text' && isMathCommand(name) && !/^(text|textrm|ensuremath|underline|to)$/.test(name)) {
    pass.openOwnFormula(index, mathRunStart(pass.text, pass.tokens, index));
  }
  if (pass.top.mode === 'math') {
    beginAtom(pass, pass.top, index);
    fillArguments(pass, index, token);
  }
}

/** Headings and the like: formulas, lists and groups left open end before them. */
function visitStructural(pass: StructurePass, index: number, token: Token): void {
  const { name } = token;
  const formula = pass.stack.findIndex((one) => isFormula(one) || isDisplay(one));
  if (
    formula >= 0 &&
    name !== 'caption' &&
    !(name === 'par' && pass.stack.slice(formula).some((one) => one.mode === 'text'))
  ) {
    pass.closeDownTo(formula, token.start);
  }
  if ((headingLevels.get(name) ?? runInLevel) >= runInLevel) return;
  const loose = pass.stack.findIndex(
    (one) =>
      (one.kind === 'group' && !one.isMatched) ||
      (one.kind === 'environment' && listEnvironments.has(one.name) && !pass.hasCloserAhead(one, index + 1)),
  );
  if (loose >= 0) pass.closeDownTo(loose, token.start);
}
