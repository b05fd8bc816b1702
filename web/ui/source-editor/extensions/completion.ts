/** Completion of commands, environments, labels, citations, packages, figures, and the document's own definitions. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  snippet,
  startCompletion,
} from '@codemirror/autocomplete';
import { type EditorState, type Extension, Facet } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { mathArity, mathOnlyCommands } from '#latex/source/commands.ts';
import { findCommandPackage, findEnvironmentPackage, knownPackages } from '#latex/source/package-table.ts';
import { commandEntries } from '../data/commands.ts';
import { environmentEntries } from '../data/environments.ts';
import { getStructure } from '../lines/structure.ts';
import { isMathAt, tokenAt } from '../lines/tokens.ts';

/** Names of the figures for `\includegraphics`. */
export const figureNames = Facet.define<() => readonly string[], () => readonly string[]>({
  combine: (sources) => () => sources.flatMap((source) => source()),
});
/** A bibliography entry that can be cited. */
export interface Citation {
  key: string;
  /** Author, year and title; may be empty. */
  detail: string;
}
/** The entries of the document's .bib files, for `\cite`. */
export const citations = Facet.define<() => readonly Citation[], () => readonly Citation[]>({
  combine: (sources) => () => sources.flatMap((source) => source()),
});
/** Further completion sources: spelling adds its suggestions here. */
export const furtherSources = Facet.define<CompletionSource>();

const byPackage = (name: string | null) => (name ? `from ${name}` : undefined);

const commands: readonly Completion[] = [
  ...commandEntries.map(({ name, template, explanation }) => ({
    label: `\\${name}`,
    type: mathOnlyCommands.has(name) ? 'math' : 'command',
    detail: explanation,
    boost: 1,
    apply: snippet(`\\${name}${template}`),
  })),
  ...[...mathOnlyCommands]
    .filter((name) => /^[A-Za-z]+$/.test(name) && !commandEntries.some((entry) => entry.name === name))
    .map((name) => ({
      label: `\\${name}`,
      type: 'math',
      detail: byPackage(findCommandPackage(name)),
      apply: snippet(`\\${name}${'{#{}}'.repeat(mathArity.get(name) ?? 0)}`),
    })),
  { label: '\\begin', type: 'command', detail: 'Begins an environment', boost: 2, apply: beginEnvironment },
];

function beginEnvironment(view: EditorView, completion: Completion, from: number, to: number): void {
  snippet('\\begin{#{}}')(view, completion, from, to);
  startCompletion(view);
}

/** In formulas, maths commands come first; in text, the others. */
export function completeCommand(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/\\[A-Za-z@]*$/);
  if (!word) return null;
  const isMath = isMathAt(context.state, context.pos);
  const own = getStructure(context.state).macros.map(
    ({ name, count, body }): Completion => ({
      label: `\\${name}`,
      type: 'own',
      detail: body ? `yours: ${body.slice(0, 40)}` : 'yours',
      boost: 3,
      apply: snippet(`\\${name}${'{#{}}'.repeat(count)}`),
    }),
  );
  const ranked = commands.map((entry) =>
    (entry.type === 'math') === isMath ? { ...entry, boost: (entry.boost ?? 0) + 1 } : entry,
  );
  return { from: word.from, options: [...own, ...ranked], validFor: /^\\[A-Za-z@]*$/ };
}

const argument =
  /\\(begin|end|(?:eq|page|auto|name|[cC])?ref|(?:[A-Za-z]*[cC]ite[a-z]*)|usepackage|includegraphics)\*?\s*(?:\[[^\]]*\])?\{([^{}]*)$/;

export function completeArgument(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const found = argument.exec(line.text.slice(0, context.pos - line.from));
  if (!found) return null;
  const [, command = '', written = ''] = found;
  // the last item of a list
  const from = context.pos - (/[^,\s]*$/.exec(written)?.[0].length ?? 0);
  const structure = getStructure(context.state);
  const list = (names: readonly string[], type: string, detail?: string) => ({
    from,
    options: names.map((label): Completion => ({ label, type, ...(detail ? { detail } : {}) })),
    validFor: /^[^{},\s]*$/,
  });
  if (command === 'begin') return { from, options: listEnvironments(context.state), validFor: /^[^{}]*$/ };
  if (command === 'end') {
    const open = structure.open
      .filter(({ line: number }) => number <= line.number)
      .map(({ mark }) => mark.name);
    return list([...new Set(open.reverse())], 'environment', 'open here');
  }
  if (command.endsWith('ref')) return list(structure.labels, 'label');
  if (/cite/i.test(command)) {
    const own = list(structure.citationKeys, 'citation');
    const beside = context.state
      .facet(citations)()
      .map(({ key, detail }): Completion => ({ label: key, type: 'citation', detail }));
    return { ...own, options: [...own.options, ...beside] };
  }
  if (command === 'usepackage') return list(knownPackages(), 'package');
  return list(context.state.facet(figureNames)(), 'figure');
}

function listEnvironments(state: EditorState): Completion[] {
  const own = getStructure(state).environments.map((name) => ({
    name,
    template: '',
    body: '#{}',
    explanation: 'yours',
  }));
  const known = environmentEntries.filter(({ name }) => !own.some((entry) => entry.name === name));
  return [...own, ...known].map(({ name, template, body, explanation }) => ({
    label: name,
    type: 'environment',
    detail: explanation,
    ...(findEnvironmentPackage(name)
      ? { info: `Provided by the package ${findEnvironmentPackage(name)}.` }
      : {}),
    apply: (view, completion, from, to) => applyEnvironment(view, completion, from, to, template, body),
  }));
}

/**
 * Completes the name alone if the environment already has its end (both ends are renamed); otherwise the whole
 * environment.
 */
function applyEnvironment(
  view: EditorView,
  completion: Completion,
  from: number,
  to: number,
  template: string,
  body: string,
): void {
  const { state } = view;
  const line = state.doc.lineAt(from);
  const pair = getStructure(state)
    .pairsAt.get(line.number)
    ?.find(({ begin }) => begin.line === line.number && line.from + begin.mark.nameFrom === from);
  if (pair) {
    view.dispatch({
      changes: { from, to, insert: completion.label },
      selection: { anchor: from + completion.label.length },
      userEvent: 'input.complete',
    });
    return;
  }
  const end = state.sliceDoc(to, to + 1) === '}' ? to + 1 : to;
  snippet(`${completion.label}}${template}\n\t${body}\n\\end{${completion.label}}#{}`)(
    view,
    completion,
    from,
    end,
  );
}

const complete: CompletionSource = (context) => {
  const token = tokenAt(context.state, context.pos);
  if (token?.kind === 'comment' || token?.kind === 'verbatim') return null;
  return completeArgument(context) ?? completeCommand(context);
};

export const completion: Extension = [
  autocompletion({
    override: [
      complete,
      async (context) => {
        for (const source of context.state.facet(furtherSources)) {
          const result = await source(context);
          if (result) return result;
        }
        return null;
      },
    ],
    icons: false,
    closeOnBlur: true,
    maxRenderedOptions: 60,
  }),
  closeBrackets(),
  keymap.of([...closeBracketsKeymap, ...completionKeymap]),
];
