import { CompletionContext } from '@codemirror/autocomplete';
import { SearchQuery } from '@codemirror/search';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { describe, expect, it } from 'vitest';
import { findSymbols, symbolGroups } from '../data/symbols.ts';
import { type EditorCommand, findCommands, listCommands } from '../editor-commands.ts';
import { nameKeys } from '../key-names.ts';
import { lineIndex } from '../lines/line-index.ts';
import { completeArgument, completeCommand } from './completion-sources.ts';
import { renameEnvironment } from './environments/rename-environment.ts';
import { countMatches } from './search-panel.ts';
import { citations, figureNames } from './surroundings.ts';

function open(text: string) {
  const at = text.indexOf('|');
  const state = EditorState.create({
    doc: text.replace('|', ''),
    selection: { anchor: at },
    extensions: [
      lineIndex,
      renameEnvironment,
      figureNames.of(() => ['curve.png']),
      citations.of(() => [{ key: 'erdos59', detail: '', entry: [] }]),
    ],
  });
  return { state, context: new CompletionContext(state, at, false), at };
}
const labels = (text: string, complete = completeArgument) =>
  complete(open(text).context)?.options.map(({ label }) => label) ?? [];

/** The text after accepting a completion; the view is a stand-in that only holds the state. */
function take(text: string, label: string, complete = completeArgument): string {
  const { state, context, at } = open(text);
  const result = complete(context)!;
  const option = result.options.find((one) => one.label === label)!;
  const view = {
    state,
    dispatch(spec: TransactionSpec) {
      this.state = this.state.update(spec).state;
    },
  };
  if (typeof option.apply !== 'function') throw new Error(`${label} is put in as it is`);
  option.apply(view as unknown as EditorView, option, result.from, at);
  return view.state.doc.toString();
}

describe('commands', () => {
  it('have their arguments, with the document’s own definitions first', () => {
    expect(take('a \\fra|', '\\frac', completeCommand)).toBe('a \\frac{numerator}{denominator}');
    expect(take('\\newcomm|', '\\newcommand', completeCommand)).toBe('\\newcommand{\\name}{definition}');
    expect(take('\\newcommand{\\pair}[2]{(#1,#2)}\n\\pa|', '\\pair', completeCommand)).toBe(
      '\\newcommand{\\pair}[2]{(#1,#2)}\n\\pair{}{}',
    );
  });
  it('of mathematics come before others in a formula, and after them in text', () => {
    const boostOf = (text: string, label: string) =>
      completeCommand(open(text).context)!.options.find((one) => one.label === label)!.boost!;
    expect(boostOf('$\\s|', '\\sum')).toBeGreaterThan(boostOf('$\\s|', '\\section'));
    expect(boostOf('\\s|', '\\section')).toBeGreaterThan(boostOf('\\s|', '\\sum'));
  });
});

describe('ranking', () => {
  const rank = (text: string, complete = completeArgument) =>
    [...complete(open(text).context)!.options]
      .sort((a, b) => (b.boost ?? 0) - (a.boost ?? 0))
      .map(({ label }) => label)
      .filter((label) => label.startsWith(text.replace(/^.*?(\\?\w*)\|.*$/s, '$1')));
  it('is by frequency of use', () => {
    expect(rank('\\begin{al|').slice(0, 3)).toEqual(['align', 'align*', 'aligned']);
    expect(rank('\\begin{t|').slice(0, 3)).toEqual(['table', 'tabular', 'theorem']);
    expect(rank('$\\ma|', completeCommand).slice(0, 2)).toEqual(['\\mathbf', '\\mathbb']);
    expect(rank('\\i|', completeCommand)[0]).toBe('\\item');
  });
  it('puts first what the document itself uses', () => {
    expect(rank('\\texttt{a} \\texttt{b} \\texttt{c} \\text|', completeCommand)[0]).toBe('\\texttt');
    const algorithm = '\\begin{algorithm}\n\\end{algorithm}\n'.repeat(20);
    expect(rank(`${algorithm}\\begin{al|`)[0]).toBe('algorithm');
  });
});

describe('arguments', () => {
  it('are labels, keys, packages and figures, each where it belongs', () => {
    expect(labels('\\label{eq:a}\\label{eq:b} \\eqref{|}')).toEqual(['eq:a', 'eq:b']);
    expect(labels('\\bibitem{knuth} \\cite[p. 3]{lamport, kn|}')).toEqual(['knuth', 'erdos59']);
    for (const command of ['autocite', 'footcite', 'Citeauthor', 'nocite', 'citep*'])
      expect(labels(`\\${command}{|}`)).toEqual(['erdos59']);
    expect(labels('\\usepackage{|}')).toContain('amsmath');
    expect(labels('\\includegraphics[width=3cm]{|')).toEqual(['curve.png']);
    expect(labels('a {|}')).toEqual([]);
  });
  it('of an end are the open environments', () => {
    expect(labels('\\begin{a}\n\\begin{b}\n\\end{b}\n\\end{|')).toEqual(['a']);
  });
  it('after \\begin insert the whole environment, or rename a complete one', () => {
    expect(take('\\begin{ite|}', 'itemize')).toBe('\\begin{itemize}\n  \\item \n\\end{itemize}');
    expect(take('\\begin{|}\nx\n\\end{}', 'align')).toBe('\\begin{align}\nx\n\\end{align}');
    expect(labels('\\newtheorem{satz}{Satz}\n\\begin{|')[0]).toBe('satz');
  });
});

describe('the palettes', () => {
  it('find symbols by name and by meaning', () => {
    const found = (query: string) =>
      findSymbols(query).flatMap(({ symbols }) => symbols.map(({ tex }) => tex));
    expect(found('union')).toEqual(['\\bigcup', '\\cup']);
    expect(found('real numbers')).toEqual(['\\mathbb{R}']);
    expect(found('\\alph')).toContain('\\alpha');
    expect(found('no such thing')).toEqual([]);
  });
  it('show symbols that KaTeX can draw, each once', async () => {
    const { default: katex } = await import('katex');
    const all = symbolGroups.flatMap(({ symbols }) => symbols.map(({ tex }) => tex));
    expect(new Set(all).size).toBe(all.length);
    for (const tex of all) expect(() => katex.renderToString(tex, { throwOnError: true })).not.toThrow();
  });
  it('find commands by words in any order', () => {
    const titles = (query: string) =>
      findCommands(listCommands(), query).map(({ title }: EditorCommand) => title);
    expect(titles('vim')).toEqual(['Keys: Vim']);
    expect(titles('heading sub')[0]).toMatch(/^Sub/);
    expect(titles('fold')).toEqual(['Fold all', 'Unfold all']);
    expect(new Set(listCommands().map(({ title }) => title)).size).toBe(listCommands().length);
    expect(nameKeys('Mod-Alt-1', false)).toBe('Ctrl+Alt+1');
    expect(nameKeys('Mod-b', true)).toBe('⌘ B');
  });
});

describe('finding', () => {
  it('counts what is found and knows which is selected', () => {
    const query = new SearchQuery({ search: 'ab', literal: true });
    const state = EditorState.create({ doc: 'ab Ab ab', selection: { anchor: 6, head: 8 } });
    expect(countMatches(state, query)).toEqual({ current: 3, total: 3, hasMore: false });
    const many = EditorState.create({ doc: 'ab'.repeat(1_200) });
    expect(countMatches(many, query)).toEqual({ current: 0, total: 999, hasMore: true });
    expect(countMatches(state, new SearchQuery({ search: '(', regexp: true }))).toEqual({
      current: 0,
      total: 0,
      hasMore: false,
    });
  });
});
