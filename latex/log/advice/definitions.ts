/** Names: commands, environments, counters, and what defines them. */
import { adviseUndefined, adviseUnknownEnvironment } from '../suggest.ts';
import { type AdviceRule, say } from './advice-rule.ts';

export const definitionsAdvice: AdviceRule[] = [
  { pattern: /^Undefined control sequence/, advise: (_, complaint) => adviseUndefined(complaint) },
  { pattern: /Environment (\S+) undefined/, advise: (match) => adviseUnknownEnvironment(match[1]!) },
  {
    pattern: /No counter '(.+?)' defined/,
    advise: (match) => ({
      explanation: `No counter is called ${match[1]}.`,
      suggestion: `Check its spelling, or define it with \\newcounter{${match[1]}}.`,
    }),
  },
  {
    pattern: /^Illegal parameter number/,
    advise: say(
      'A definition uses an argument (#2, say) that it does not declare.',
      'Raise the number in brackets, as in \\newcommand{\\name}[2]{…}, or write ## in a definition inside another.',
    ),
  },
  {
    pattern: /^Use of (\S+) doesn't match its definition/,
    advise: (match) => ({
      explanation: `What follows ${match[1]} is not what its definition demands.`,
      suggestion: `Compare it with where ${match[1]} is defined; a formula or command in a title may need \\protect before it.`,
    }),
  },
  {
    pattern: /macro parameter character #/,
    advise: say('# has a meaning of its own only in definitions.', 'Write \\# for the character itself.'),
  },
  {
    pattern: /Counter too large/,
    advise: say(
      'The counter has no letter or symbol for a number this large.',
      'Number with \\arabic instead of letters.',
    ),
  },
  {
    pattern: /Command (\\\S+) already defined/,
    advise: (match) => ({
      explanation: `${match[1]} exists already.`,
      suggestion: `Choose another name, or use \\renewcommand{${match[1]}} to replace it.`,
    }),
  },
  {
    pattern: /Command (\\\S+) undefined/,
    advise: (match) => ({
      explanation: `${match[1]} cannot be redefined: it does not exist.`,
      suggestion: `Use \\newcommand{${match[1]}}.`,
    }),
  },
];
