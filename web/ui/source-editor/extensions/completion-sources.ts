/** What completion offers: loaded when the source first has the focus. */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippet,
  startCompletion,
} from '@codemirror/autocomplete';
import type { EditorState, Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { mathArity, mathOnlyCommands } from '#latex/source/commands.ts';
import { findCommandPackage, findEnvironmentPackage, knownPackages } from '#latex/source/package-table.ts';
import { commandEntries } from '../data/commands.ts';
import { environmentEntries } from '../data/environments.ts';
import { useOfCommands, useOfEnvironments } from '../data/use.ts';
import { getStructure } from '../lines/structure.ts';
import { isMathAt, tokenAt } from '../lines/tokens.ts';
import { citations, figureNames } from './surroundings.ts';

const byPackage = (name: string | null) => (name ? `from ${name}` : undefined);

const commands: readonly Completion[] = [
  ...commandEntries.map(({ name, template, explanation }) => ({
    label: `\\${name}`,
    type: mathOnlyCommands.has(name) ? 'math' : 'command',
    detail: explanation,
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
  { label: '\\begin', type: 'command', detail: 'Begins an environment', apply: beginEnvironment },
];

function beginEnvironment(view: EditorView, completion: Completion, from: number, to: number): void {
  snippet('\\begin{#{}}')(view, completion, from, to);
  startCompletion(view);
}

/**
 * Added to the score of a match, whose steps are 100 wide: a better match always comes first. Own definitions
 * count most, then whether a command belongs here, then its frequency in this document and elsewhere.
 */
const boosts = { own: 98, here: 50, inDocument: 30 } as const;
/** Only this much of a document is counted. */
const maxCounted = 100_000;
const counted = new WeakMap<Text, ReadonlyMap<string, number>>();

/** How often the document uses each command. */
function countCommands({ doc }: EditorState): ReadonlyMap<string, number> {
  let counts = counted.get(doc);
  if (!counts) {
    const found = new Map<string, number>();
    for (const [, name = ''] of doc.sliceString(0, maxCounted).matchAll(/\\([A-Za-z]+)/g))
      found.set(name, (found.get(name) ?? 0) + 1);
    counts = found;
    counted.set(doc, counts);
  }
  return counts;
}

/** From 0 to `boosts.inDocument`, which twenty uses reach. */
const boostOf = (count = 0) => boosts.inDocument * Math.min(1, Math.log(1 + count) / Math.log(21));

/** In formulas, maths commands come first; in text, the others. Among these, the most frequent ones. */
export function completeCommand(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/\\[A-Za-z@]*$/);
  if (!word) return null;
  const isMath = isMathAt(context.state, context.pos);
  const own = getStructure(context.state).macros.map(
    ({ name, count, body }): Completion => ({
      label: `\\${name}`,
      type: 'own',
      detail: body ? `yours: ${body.slice(0, 40)}` : 'yours',
      boost: boosts.own,
      apply: snippet(`\\${name}${'{#{}}'.repeat(count)}`),
    }),
  );
  const counts = countCommands(context.state);
  const ranked = commands.map((entry) => {
    const name = entry.label.slice(1);
    // the command that is being typed is in the text too
    const count = (counts.get(name) ?? 0) - (entry.label === word.text ? 1 : 0);
    const isHere = (entry.type === 'math') === isMath || name === 'begin';
    const boost = (isHere ? boosts.here : 0) + (useOfCommands.get(name) ?? 0) + boostOf(count);
    return { ...entry, boost };
  });
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
    const fromFiles = context.state
      .facet(citations)()
      .map(({ key, detail }): Completion => ({ label: key, type: 'citation', detail }));
    return { ...own, options: [...own.options, ...fromFiles] };
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
  const counts = new Map<string, number>();
  for (const { begin } of getStructure(state).pairs)
    counts.set(begin.mark.name, (counts.get(begin.mark.name) ?? 0) + 1);
  return [...own, ...known].map(({ name, template, body, explanation }) => ({
    label: name,
    type: 'environment',
    detail: explanation,
    boost: own.some((entry) => entry.name === name)
      ? boosts.own
      : (useOfEnvironments.get(name) ?? 0) + boostOf(counts.get(name)),
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

export function complete(context: CompletionContext): CompletionResult | null {
  const token = tokenAt(context.state, context.pos);
  if (token?.kind === 'comment' || token?.kind === 'verbatim') return null;
  return completeArgument(context) ?? completeCommand(context);
}
