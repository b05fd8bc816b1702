/** What only another engine can do, and Lua. */
import { type Engine, engineNames } from '#shared/api/engine.ts';
import { enginesFor, takeAnotherEngine } from '../fixes/engines.ts';
import { type Advice, type LogRule, say } from '../rule.ts';

export const adviseEngine = (engine: Engine): string =>
  `Compile with ${engineNames[engine]}: make “% !TEX program = ${engine}” the first line, and choose no other engine for the document.`;

export const enginesRules: LogRule[] = [
  {
    // fontspec, unicode-math, luacode, inputenc and others, each with its own wording
    pattern:
      /(?:xe|lua|pdf)(?:la|hb)?tex is required|(?:\brequires?|needs? to be run|(?:can|may|must) only be|cannot be (?:run|used)|\bonly works?|not designed for)\b.*(?:xe|lua|pdf)(?:la|hb)?tex|cannot-use-pdftex/i,
    fixes: [takeAnotherEngine],
    advise: (match) => {
      const [engine] = enginesFor(match.input);
      return {
        explanation: 'A package of this document does not work with the engine that it was compiled with.',
        ...(engine && { suggestion: adviseEngine(engine) }),
      };
    },
  },
  {
    pattern: /^Lua error in line \d+: .*attempt to (index|call) a nil value(?: \((?:\w+) '(.+?)'\))?/,
    advise: (match) => adviseNil(match[1]!, match[2]),
  },
  {
    pattern: /^Lua error in line \d+: (.*(?:expected|unfinished|unexpected|malformed).*)/,
    advise: say(
      'This is not Lua: the code was not run at all.',
      'Check it for a missing end, then, do, bracket or quote. In \\directlua, TeX reads it first: %, #, \\ and ~ need an environment luacode* (package luacode).',
    ),
  },
  {
    pattern: /^Lua error in line \d+: .*(?:not enough memory|stack overflow)/,
    advise: say('The Lua code needed more memory than there is.', 'Look for a function that calls itself.'),
  },
  {
    pattern: /^Lua error in line \d+: /,
    advise: say('Lua stopped here, and left out the rest of this piece of code.'),
  },
];

function adviseNil(what: string, name: string | undefined): Advice {
  const called = name ?? 'A value';
  const usual =
    name === 'popen' || name === 'execute' || name === 'loadlib'
      ? { suggestion: 'Other programs cannot be run here; do without it.' }
      : { suggestion: `Check how ${name ?? 'it'} is spelled, and where it is given a value.` };
  return {
    explanation: `${called} has no value where Lua code ${what === 'call' ? 'calls it' : 'looks into it'}; the rest of this piece of code was left out.`,
    ...usual,
  };
}
