/**
 * What a compile left for Biber: biblatex's control file, which names what is cited, from where and in which
 * order.
 */
import { literal } from '#latex/source/escape.ts';
import { findLine } from '../find-line.ts';
import type { Compiled, HelperPlan } from '../helper.ts';
import { findDatabases } from './databases.ts';
import { decodeDatabase } from './prepare-database.ts';
import { readBiberReport } from './read-biber-report.ts';

const controlFile = 'main.bcf';
const source = /<bcf:datasource\b[^>]{0,300}>([^<]{0,300})<\/bcf:datasource>\s*/g;

export function planBiber(compiled: Compiled): HelperPlan {
  const control = compiled.left.get(controlFile)?.toString('utf8');
  if (!control) return { tasks: [], messages: [] };
  const names = [...control.matchAll(source)].map(([, name]) => withEnding(name!));
  const remote = names.filter((name) => /^(?:https?|ftps?):/i.test(name));
  const { files, missing } = findDatabases(
    names.filter((name) => !remote.includes(name)),
    compiled,
  );
  const messages = [...missing, ...[...new Set(remote)].slice(0, 10)].map((one) =>
    typeof one === 'string' ? remoteDatabase(one, compiled.latex) : one,
  );
  if (!names.some((name) => files.has(name))) return { tasks: [], messages };
  // Biber makes no list at all if one of its databases is missing
  const readable = control.replace(source, (element, name: string) =>
    files.has(withEnding(name)) ? element.replace(`>${name}<`, `>${withEnding(name)}<`) : '',
  );
  files.set(controlFile, Buffer.from(readable));
  return {
    tasks: [
      {
        program: 'biber',
        // a list without the unreadable entries rather than none
        args: ['--noconf', '--nodieonerror', 'main'],
        files,
        prepare: (name, bytes) => (name.endsWith('.bib') ? decodeDatabase(bytes) : bytes),
        makes: 'main.bbl',
        report: 'main.blg',
        what: 'The list of references',
        readReport: (report) => readBiberReport(report, compiled.latex),
      },
    ],
    messages,
  };
}

const withEnding = (name: string) => (/\.bib$/i.test(name) ? name : `${name}.bib`);

function remoteDatabase(address: string, latex: string) {
  return {
    level: 'warning' as const,
    file: 'main.tex',
    line: findLine(latex, new RegExp(literal(address.replace(/\.bib$/, '')))),
    message: `The bibliography ${address} was not fetched: documents are compiled without a network.`,
    explanation: 'What is cited from it prints as its key.',
    suggestion: 'Download it, and add the .bib file to the document’s files.',
  };
}
