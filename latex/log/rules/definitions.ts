/** Names: commands, environments, counters, and their definitions. */

import { engineNames } from '#shared/api/engine.ts';
import { theoremEnvironments } from '../../source/commands.ts';
import { findCommandPackage, findEnvironmentPackage } from '../../source/package-table.ts';
import { escapeHash } from '../fixes/characters.ts';
import {
  defineAnew,
  fixCounter,
  fixEnvironment,
  fixUndefined,
  loadFancyPages,
  raiseArguments,
  redefine,
} from '../fixes/definitions.ts';
import { escapeCulprit } from '../fixes/edits.ts';
import { engineOfCommand, takeEngineOfCommand, unknownCommand } from '../fixes/engines.ts';
import { nearestCommand, nearestEnvironment } from '../names.ts';
import { type Advice, type Complaint, type LogRule, say } from '../rule.ts';
import { adviseEngine } from './engines.ts';

export const definitionsRules: LogRule[] = [
  {
    pattern: /^Undefined control sequence/,
    fixes: [takeEngineOfCommand, loadFancyPages, fixUndefined],
    advise: (_, complaint) => adviseUndefined(complaint),
  },
  {
    pattern: /Environment (\S+) undefined/,
    fixes: [fixEnvironment],
    advise: (match) => adviseUnknownEnvironment(match[1]!),
  },
  {
    pattern: /No counter '(.+?)' defined/,
    fixes: [fixCounter],
    advise: (match) => ({
      explanation: `No counter is called ${match[1]}.`,
      suggestion: `Check its spelling, or define it with \\newcounter{${match[1]}}.`,
    }),
  },
  {
    pattern: /^Illegal parameter number/,
    fixes: [raiseArguments, escapeHash],
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
    fixes: [escapeCulprit('#'), escapeHash],
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
    fixes: [redefine],
    advise: (match) => ({
      explanation: `${match[1]} exists already.`,
      suggestion: `Choose another name, or use \\renewcommand{${match[1]}} to replace it.`,
    }),
  },
  {
    pattern: /Command (\\\S+) undefined/,
    fixes: [defineAnew],
    advise: (match) => ({
      explanation: `${match[1]} cannot be redefined: it does not exist.`,
      suggestion: `Use \\newcommand{${match[1]}}.`,
    }),
  },
];

function adviseUndefined(complaint: Complaint): Advice {
  const name = unknownCommand(complaint);
  if (!name) return { explanation: 'A command is used that LaTeX does not know.' };
  const explanation = `LaTeX does not know the command \\${name}.`;
  const engine = engineOfCommand(name);
  if (engine)
    return {
      explanation: `\\${name} is a command of ${engineNames[engine]} alone.`,
      suggestion: adviseEngine(engine),
    };
  const owner = findCommandPackage(name);
  if (owner)
    return { explanation, suggestion: `Add \\usepackage{${owner}} to the preamble: it defines \\${name}.` };
  const meant = nearestCommand(name);
  if (!meant)
    return {
      explanation,
      suggestion: `Check the spelling of \\${name}, or load the package that defines it.`,
    };
  const meantOwner = findCommandPackage(meant);
  const from = meantOwner ? ` (from the package ${meantOwner})` : '';
  return { explanation, suggestion: `Did you mean \\${meant}${from}?` };
}

function adviseUnknownEnvironment(name: string): Advice {
  const explanation = `LaTeX does not know the environment ${name}.`;
  const owner = findEnvironmentPackage(name);
  if (owner)
    return { explanation, suggestion: `Add \\usepackage{${owner}} to the preamble: it defines ${name}.` };
  if (theoremEnvironments.has(name.toLowerCase()))
    return {
      explanation,
      suggestion: `Define it in the preamble: \\newtheorem{${name}}{${name[0]!.toUpperCase()}${name.slice(1)}}.`,
    };
  const meant = nearestEnvironment(name);
  return meant
    ? { explanation, suggestion: `Did you mean ${meant}?` }
    : { explanation, suggestion: 'Check its spelling, or load the package that defines it.' };
}
