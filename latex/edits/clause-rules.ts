/** The grammar: one entry per kind of clause. Patterns match a whole clause; `read` may still decline. */
import {
  type Groups,
  headingFrom,
  isFunctionWord,
  isQuoted,
  lengthFrom,
  levelFrom,
  nameFrom,
  personFrom,
  sidesFrom,
  unquote,
} from './clause-values.ts';
import type { ExactEdit, HeadingPlace } from './exact-edit.ts';

export interface ClauseRule {
  pattern: RegExp;
  /** Returns null if the words match but the meaning does not. */
  read(groups: Groups): ExactEdit | ExactEdit[] | null;
}

/** A quoted text; `unquote` removes the quotation marks. */
const quote = (name: string) => `(?<${name}>"[^"\\n]*"|“[^”\\n]*[”"]|«[^»\\n]*»|\`[^\`\\n]*\`|'[^\\n]*')`;
/** Quoted text, or bare words that begin with a capital or a digit: a name, not a description. */
const nameOrQuote = (name: string) =>
  `(?<${name}>"[^"\\n]*"|“[^”\\n]*[”"]|«[^»\\n]*»|\`[^\`\\n]*\`|'[^\\n]*'|(?-i:[\\p{Lu}\\d][^\\n"“”]*))`;
const command = (name: string) => `(?<${name}>\\\\[A-Za-z]+)`;
const set = '(?:change|set|update|make|switch)';
const the = '(?:the |my |its |our |this )?';
const document = "(?:document(?:'s)? |paper(?:'s)? |notes'? )?";
const ofDocument = '(?: of (?:the|this|my) (?:document|paper|notes))?';
const level = '(?<level>section|subsection|subsubsection|heading)';
const remove = '(?:remove|delete|drop|get rid of|take (?:out|away))';
const hide = '(?:remove|delete|drop|hide|get rid of|turn off|switch off|disable|omit|take (?:out|away))';
const show = '(?:show|add|turn on|switch on|enable|include|print|put (?:back|in))';

const rule = (pattern: string, read: ClauseRule['read']): ClauseRule => ({
  pattern: new RegExp(`^${pattern}$`, 'iu'),
  read,
});

const length =
  '(?<number>\\d+(?:[.,]\\d+)?)\\s*-?(?<unit>cm|mm|in|pt|inch(?:es)?|centimet(?:er|re)s?|millimet(?:er|re)s?|points?)';
const sides =
  '(?<sides>(?:left|right|top|bottom|side|horizontal|vertical)(?:(?:,? and |, )(?:left|right|top|bottom))*)';
const margins = (groups: Groups): ExactEdit | null => {
  const value = lengthFrom(groups.number, groups.unit);
  return value === null ? null : { type: 'margins', sides: sidesFrom(groups.sides), length: value };
};

const replacement = (groups: Groups, from: string | undefined, to: string): ExactEdit | null => {
  const old = from === undefined ? '' : unquote(from);
  if (old === '' || old === to || old.length > 500 || to.length > 1000) return null;
  const where = groups.where?.toLowerCase() ?? '';
  return {
    type: 'replace',
    from: old,
    to,
    where: /everywhere|text and|both/.test(where)
      ? 'everywhere'
      : /math|formula|equation/.test(where)
        ? 'maths'
        : 'text',
    isFirstOnly: /first/i.test(groups.which ?? ''),
    ignoresCase: groups.case !== undefined,
  };
};

const occurrences =
  '(?:(?<which>all|every|each|any|the first|only the first|the)\\s+)?(?:(?:occurrences?|instances?|mentions?|appearances?)(?: of)? )?(?:the )?(?:words? |phrases? |text |term |string |letter |variable |symbol |command |name )?';
const where =
  '(?: (?<where>everywhere|throughout|in (?:all )?(?:the )?(?:text|formulas?|formulae|math(?:s|ematics)?|equations?|(?:whole |entire )?document)(?: only)?|in (?:the )?text and (?:in )?(?:the )?(?:formulas?|formulae|maths?|equations?)))?';
const ignoring = '(?<case>,? (?:ignoring case|case[- ]insensitive(?:ly)?|regardless of case))?';

const heading = (name: string) =>
  `(?:${the}(?:section|subsection|subsubsection|heading)(?: titled| called| named| heading| title)? ${quote(name)}|${the}${quote(`${name}Bare`)} (?:section|subsection|subsubsection|heading)|(?<${name}Level>section|subsection|subsubsection) (?<${name}Number>\\d{1,2}))`;

const option = (name: string, wanted: string, instead: readonly string[]): ExactEdit => ({
  type: 'class-option',
  option: name,
  instead,
  wanted,
});

const title = (groups: Groups): ExactEdit | null => {
  const text = nameFrom(groups.value, 14);
  return text === null ? null : { type: 'set-title', text };
};
const author = (groups: Groups): ExactEdit | null => {
  const text = personFrom(groups.value);
  return text === null ? null : { type: 'set-author', text };
};
const date = (groups: Groups): ExactEdit | null => {
  if (/^today(?:'s date)?$/i.test(unquote(groups.value ?? ''))) return { type: 'date-today' };
  const text = nameFrom(groups.value, 5);
  if (text === null) return null;
  return isQuoted(groups.value!) || /\d/.test(text) ? { type: 'set-date', text } : null;
};

const papers = '(?<paper>a4|a5|b5|(?:us )?letter|legal|executive)';
const paper = (groups: Groups): ExactEdit => {
  const name = groups.paper!.toLowerCase().replace('us ', '');
  return { type: 'paper', option: `${name}paper` as Extract<ExactEdit, { type: 'paper' }>['option'] };
};
const fontSize = (groups: Groups): ExactEdit => ({
  type: 'font-size',
  points: Number(groups.points) as 10 | 11 | 12,
});
const points = '(?<points>10|11|12)\\s*-?(?:pt|points?)';
const spacing = (groups: Groups): ExactEdit => {
  const word = (groups.factor ?? '').toLowerCase();
  return {
    type: 'line-spacing',
    factor: /double|^2/.test(word) ? 'double' : /single|^1(?:\.0)?$/.test(word) ? 'single' : 'onehalf',
  };
};

export const clauseRules: readonly ClauseRule[] = [
  // title, author, date
  rule(
    `(?:${set}|rename) ${the}${document}title${ofDocument}(?: to(?: be)?| as|:| into| =)? ${nameOrQuote('value')}`,
    title,
  ),
  rule(`(?:add|give it|use|insert) (?:a |the |this )?title:? ${nameOrQuote('value')}`, title),
  rule(`(?:the )?${document}title(?: should be| must be|:| =) ${nameOrQuote('value')}`, title),
  rule(
    `(?:title|call) (?:it|this|the document|this document|the notes|these notes) ${quote('value')}`,
    title,
  ),
  rule(`${remove} ${the}${document}title${ofDocument}`, () => ({ type: 'remove-title' })),
  rule(
    `${set} ${the}(?:${document}author|author's name|author name)${ofDocument}(?: to(?: be)?| as|:| =)? ${nameOrQuote('value')}`,
    author,
  ),
  rule(`(?:the )?${document}author(?: is| should be| must be|:| =) ${nameOrQuote('value')}`, author),
  rule(`(?:put|use|insert) ${nameOrQuote('value')} as (?:the )?author`, author),
  rule(`add ${nameOrQuote('value')} as (?:an|another|a second|the second) author`, (groups) => {
    const text = personFrom(groups.value);
    return text === null ? null : { type: 'add-author', text };
  }),
  rule(`add (?:an |the |another )?author:? ${nameOrQuote('value')}`, (groups) => {
    const text = personFrom(groups.value);
    return text === null ? null : { type: 'add-author', text };
  }),
  rule(`${remove} ${the}${document}(?:author|author's name|author name|authors)${ofDocument}`, () => ({
    type: 'remove-author',
  })),
  rule(
    `${set} ${the}${document}date${ofDocument}(?: to(?: be)?| as|:| =)? (?:(?<today>today(?:'s date)?)|${nameOrQuote('value')})`,
    (groups) => (groups.today ? { type: 'date-today' } : date(groups)),
  ),
  rule(`(?:add|insert|use|show) today's date`, () => ({ type: 'date-today' })),
  rule(`(?:add|insert) (?:a |the )?date:? ${nameOrQuote('value')}`, date),
  rule(`(?:the )?date(?: should be|:| =) ${nameOrQuote('value')}`, date),
  rule(`(?:${remove}|hide) ${the}${document}date${ofDocument}`, () => ({ type: 'remove-date' })),

  // class options
  rule(
    `${set} ${the}(?:base |main |body |document )?(?:font ?size|text size|font|text|size)${ofDocument}(?: to| at)? ${points}`,
    fontSize,
  ),
  rule(`use (?:a )?(?:font ?size (?:of )?)?${points}(?: (?:font|text|type|font ?size|size))?`, fontSize),
  rule(`${set} it (?:in )?${points}`, fontSize),
  rule(
    `${set} ${the}(?:paper|page)(?: ?(?:size|format))?${ofDocument}(?: to)? ${papers}(?: ?paper)?(?: size| format)?`,
    paper,
  ),
  rule(
    `(?:use|switch to|change to|set it (?:to|on)|print (?:it )?on) ${papers}(?: ?paper)?(?: size| format)?`,
    (groups) => paper(groups),
  ),
  rule(
    `(?:make (?:it|the (?:document|page|pages|paper))|use|switch (?:it )?to|change (?:it )?to|turn (?:it|the pages?) to|set (?:it|the orientation) to|put (?:it|the pages?) in)(?: (?:a|the))? landscape(?: (?:orientation|format|mode|page|pages|layout))?`,
    () => option('landscape', 'landscape orientation', []),
  ),
  rule(
    `(?:make (?:it|the (?:document|page|pages|paper))|use|switch (?:it )?(?:back )?to|change (?:it )?to|turn (?:it|the pages?) to|set (?:it|the orientation) to|put (?:it|the pages?) in)(?: (?:a|the))? portrait(?: (?:orientation|format|mode|page|pages|layout))?`,
    () => option('', 'portrait orientation', ['landscape']),
  ),
  rule(
    `(?:make (?:it|the (?:document|text|page|pages|notes))|use|switch (?:it )?to|change (?:it )?to|set (?:it|the (?:text|document)) in|put (?:it|the text) in(?:to)?|format it in)(?: (?:a|the))? (?:two|2|double)[- ]?columns?(?: (?:layout|format|mode|document))?`,
    () => option('twocolumn', 'two columns', ['onecolumn']),
  ),
  rule(
    `(?:make (?:it|the (?:document|text|page|pages|notes))|use|switch (?:it )?(?:back )?to|change (?:it )?(?:back )?to|set (?:it|the (?:text|document)) in|put (?:it|the text) in(?:to)?|format it in)(?: (?:a|the))? (?:one|1|single)[- ]?columns?(?: (?:layout|format|mode|document))?`,
    () => option('', 'one column', ['twocolumn', 'onecolumn']),
  ),
  rule(
    `(?:make (?:it|the document)|use|switch (?:it )?to|set (?:it|the document) (?:up )?(?:for|to)?) ?(?:two|double)[- ]sided?(?: (?:printing|layout|format|mode))?`,
    () => option('twoside', 'two-sided layout', ['oneside']),
  ),
  rule(
    `(?:make (?:it|the document)|use|switch (?:it )?(?:back )?to|set (?:it|the document) (?:up )?(?:for|to)?) ?(?:one|single)[- ]sided?(?: (?:printing|layout|format|mode))?`,
    () => option('', 'one-sided layout', ['twoside', 'oneside']),
  ),
  rule(`put ${the}title on (?:its own|a separate|a) (?:title )?page`, () =>
    option('titlepage', 'a title page', ['notitlepage']),
  ),
  rule(
    `(?:left[- ]align|align to the left|flush left) ${the}(?:all )?(?:equations|formulas|formulae|displayed equations)`,
    () => option('fleqn', 'equations flush left', []),
  ),
  rule(`(?:put|place|show|print) ${the}equation numbers (?:on|at) the left(?: side)?`, () =>
    option('leqno', 'equation numbers on the left', ['reqno']),
  ),
  rule(
    `(?:use|${set}|switch to) ${the}(?:document ?class(?: to)?|class)?(?: to)? ?(?:the )?(?<name>article|report|book|scrartcl)(?: (?:document ?)?class)`,
    (groups) => ({
      type: 'document-class',
      name: groups.name!.toLowerCase() as 'article',
    }),
  ),
  rule(`${set} ${the}document ?class to (?<name>article|report|book|scrartcl)`, (groups) => ({
    type: 'document-class',
    name: groups.name!.toLowerCase() as 'article',
  })),
  rule(
    `(?:use|${set}(?: it)?(?: to)?|switch to) (?<factor>single|double|one and a half|one-and-a-half|1\\.5|1|2)[- ]?(?:line )?spac(?:ing|ed)`,
    spacing,
  ),
  rule(
    `${set} ${the}line spacing(?: to)? (?<factor>single|double|one and a half|1\\.5|1(?:\\.0)?|2(?:\\.0)?)`,
    spacing,
  ),
  rule(`(?:double|single)[- ]space (?:it|the (?:document|text))`, () => null),

  // margins
  rule(
    `${set} (?:all )?${the}(?:page )?margins?(?: on all sides)?(?: to(?: be)?| at)? ${length}(?: on all sides| wide| each| everywhere)?`,
    margins,
  ),
  rule(`${set} ${the}${sides} margins?(?: to(?: be)?| at)? ${length}(?: wide| each)?`, margins),
  rule(
    `(?:use|have|give it|put) (?:a )?${length} margins?(?: on all sides| all around| everywhere)?`,
    margins,
  ),
  rule(
    `(?:use|have|give it|put) (?:a )?(?:${sides} )?margins? of ${length}(?: on all sides| all around| everywhere)?`,
    margins,
  ),
  rule(`(?:use|have|give it|put) (?:a )?${length} ${sides} margins?`, margins),
  rule(`margins?(?::| =| should be) ${length}`, margins),

  // numbering
  rule(`(?:number|enumerate) (?:all )?${the}(?:sections?|headings?)`, () => ({
    type: 'section-numbers',
    isOn: true,
  })),
  rule(`${show} (?:the )?(?:section|heading) (?:numbers?|numbering)`, () => ({
    type: 'section-numbers',
    isOn: true,
  })),
  rule(
    `${hide} ${the}(?:numbers? (?:from|of) (?:all )?(?:the )?(?:sections?|headings?)|(?:section|heading) (?:numbers?|numbering))`,
    () => ({ type: 'section-numbers', isOn: false }),
  ),
  rule(
    `(?:unnumber|don't number|do not number|stop numbering) (?:all )?${the}(?:sections?|headings?)`,
    () => ({ type: 'section-numbers', isOn: false }),
  ),
  rule(`make ${the}(?:sections?|headings?) unnumbered`, () => ({ type: 'section-numbers', isOn: false })),
  rule(`(?:number|enumerate) (?:all )?${the}pages?`, () => ({ type: 'page-numbers', isOn: true })),
  rule(`${show} (?:the )?page (?:numbers?|numbering)`, () => ({ type: 'page-numbers', isOn: true })),
  rule(`${hide} ${the}page (?:numbers?|numbering)`, () => ({ type: 'page-numbers', isOn: false })),
  rule(`(?:don't number|do not number|stop numbering) (?:all )?${the}pages?`, () => ({
    type: 'page-numbers',
    isOn: false,
  })),
  rule(`(?:number|enumerate) (?:all )?${the}(?:displayed )?(?:equations?|formulas?|formulae)`, () => ({
    type: 'equation-numbers',
    isOn: true,
  })),
  rule(`${show} (?:the )?equation (?:numbers?|numbering)`, () => ({ type: 'equation-numbers', isOn: true })),
  rule(
    `${hide} ${the}(?:numbers? (?:from|of) (?:all )?(?:the )?equations?|equation (?:numbers?|numbering))`,
    () => ({ type: 'equation-numbers', isOn: false }),
  ),
  rule(`(?:unnumber|don't number|do not number|stop numbering) (?:all )?${the}equations?`, () => ({
    type: 'equation-numbers',
    isOn: false,
  })),
  rule(`number ${the}equations? (?:by|per|within|in each) sections?`, () => ({ type: 'numbers-by-section' })),
  rule(
    `start (?:the )?(?:page numbers?|page numbering|numbering (?:the )?pages) (?:at|with|from) (?:page )?(?<number>\\d{1,4})`,
    (groups) => ({
      type: 'first-page-number',
      number: Number(groups.number),
    }),
  ),

  // replace
  rule(
    `(?:replace|substitute|swap) ${occurrences}${quote('from')} (?:with|by|for|to) (?:the )?(?:words? |phrase |text )?${quote('to')}${where}${ignoring}`,
    (groups) => replacement(groups, groups.from, unquote(groups.to!)),
  ),
  rule(
    `(?:replace|substitute|swap) ${occurrences}${command('from')} (?:with|by|for) ${command('to')}${where}`,
    (groups) => replacement({ ...groups, where: 'everywhere' }, groups.from, groups.to!),
  ),
  rule(
    `(?:change|rename) ${occurrences}${quote('from')} (?:to|into) ${quote('to')}${where}${ignoring}`,
    (groups) => replacement(groups, groups.from, unquote(groups.to!)),
  ),
  rule(
    `(?:replace|change) (?:every |all (?:occurrences of )?)?the (?:word|variable|letter|symbol) (?<from>[\\p{L}\\d'-]+) (?:with|by|to|into) (?:the (?:word|letter) )?(?<to>[\\p{L}\\d'-]+)${where}`,
    (groups) => (isFunctionWord(groups.to!) ? null : replacement(groups, groups.from, groups.to!)),
  ),
  rule(`${remove} ${occurrences}${quote('from')}${where}${ignoring}`, (groups) =>
    replacement(groups, groups.from, ''),
  ),

  // headings
  rule(`(?:rename|retitle|change) ${heading('heading')} (?:to|into|as) ${quote('to')}`, (groups) => {
    const reference = headingFrom(groups, 'heading');
    const to = unquote(groups.to!);
    return reference && to ? { type: 'rename-heading', heading: reference, to } : null;
  }),
  rule(`${set} (?:the )?(?:title|heading|name) of ${heading('heading')} to ${quote('to')}`, (groups) => {
    const reference = headingFrom(groups, 'heading');
    const to = unquote(groups.to!);
    return reference && to ? { type: 'rename-heading', heading: reference, to } : null;
  }),
  rule(
    `(?:make|turn|change|convert|demote|promote) ${heading('heading')} (?:(?:in)?to )?(?:a |an )?(?<level>section|subsection|subsubsection)`,
    (groups) => {
      const reference = headingFrom(groups, 'heading');
      return reference ? { type: 'move-heading', heading: reference, level: levelFrom(groups.level) } : null;
    },
  ),
  rule(
    `(?:add|insert|create) (?:a |an |another )?(?:new )?${level}(?: titled| called| named| with the title)? ${quote('words')}(?: (?<place>at the (?:very )?(?:end|beginning|start)(?: of the document)?|first|last))?`,
    (groups) => ({
      type: 'add-heading',
      level: levelFrom(groups.level),
      words: unquote(groups.words!),
      place: { at: /beginning|start|first/i.test(groups.place ?? '') ? 'start' : 'end' },
    }),
  ),
  rule(
    `(?:add|insert|create) (?:a |an |another )?(?:new )?${level}(?: titled| called| named| with the title)? ${quote('words')} (?<place>before|after) ${heading('heading')}`,
    (groups) => {
      const reference = headingFrom(groups, 'heading');
      if (!reference) return null;
      const place: HeadingPlace = {
        at: groups.place!.toLowerCase() as 'before' | 'after',
        heading: reference,
      };
      return { type: 'add-heading', level: levelFrom(groups.level), words: unquote(groups.words!), place };
    },
  ),
  rule(
    `${remove} (?:only )?the heading ${quote('heading')}(?:,? (?:but )?keep(?:ing)? (?:its|the) text)?`,
    (groups) => {
      const reference = headingFrom(groups, 'heading');
      return reference ? { type: 'remove-heading', heading: reference } : null;
    },
  ),
  rule(`(?:add|insert|put) (?:a )?(?:page ?break|new page) before ${heading('heading')}`, (groups) => {
    const reference = headingFrom(groups, 'heading');
    return reference ? { type: 'page-break', heading: reference } : null;
  }),
  rule(`start ${heading('heading')} on (?:a new|its own) page`, (groups) => {
    const reference = headingFrom(groups, 'heading');
    return reference ? { type: 'page-break', heading: reference } : null;
  }),
  rule(
    `(?:add|insert|include|put|show|make|create|generate) (?:a |the )?(?:table of contents|toc|contents page|list of contents)(?: at the (?:beginning|start|top|front)| after the title)?`,
    () => ({
      type: 'table-of-contents',
      isOn: true,
    }),
  ),
  rule(`(?:${remove}|hide) ${the}(?:table of contents|toc|contents page)`, () => ({
    type: 'table-of-contents',
    isOn: false,
  })),
];
